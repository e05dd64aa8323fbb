import { Button, HTMLSelect } from '@blueprintjs/core'
import { DiagramTree } from '@blueprintjs/icons'
import type { CommentView, HypothesisView } from '@watchroom/shared/collab'
import { memo, type ReactNode, useDeferredValue, useEffect, useMemo, useRef, useState } from 'react'

import { useIncidentItems, useIncidentPart } from '../../../collab/useIncident.ts'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { useLatest } from '../../../ui/useLatest.ts'
import { VirtualRows } from '../../../ui/VirtualRows.tsx'
import { hypothesisTitle } from '../hypothesisTitle.ts'
import { NEW_COMMENT } from '../places.ts'
import { createTreeLines, type TreeLine } from '../tree/moves.ts'
import { CommentBox } from './CommentBox.tsx'
import { CommentItem, estimateComment } from './CommentItem.tsx'
import { useCommentDraft } from './useCommentDraft.ts'
import { Writers } from './Writers.tsx'

import styles from '../incidentRoom.module.css'

interface CommentTimelineProps {
  readonly incidentId: string
  /** The comment to show; a new object shows it again. */
  readonly target: { readonly commentId: string } | null
  /** Shows the hypothesis a comment belongs to. */
  readonly onShowHypothesis: (hypothesisId: string) => void
}

const NO_ONE_COLLAPSED: ReadonlySet<string> = new Set()
/** An option cannot be indented by style sheet. */
const INDENT = '\u00A0\u00A0'

/** All comments, oldest first, and the box to write another. */
export function CommentTimeline({ incidentId, target, onShowHypothesis }: CommentTimelineProps) {
  const comments = useIncidentItems('current', ({ view }) => view.comments.filter(({ removed }) => removed === null))
  const hypotheses = useIncidentPart((room) => room.view.hypotheses)
  const canWrite = useIncidentPart((room) => room.canWrite)
  const section = useRef<HTMLElement>(null)
  const showHypothesis = useLatest(onShowHypothesis)

  useEffect(() => {
    if (target === null) return
    const comment = section.current?.querySelector<HTMLElement>(`[data-entity="comments/${target.commentId}"]`)
    comment?.focus({ preventScroll: true })
    comment?.scrollIntoView({ block: 'center' })
  }, [target])

  return (
    <section ref={section} className={styles['timeline']} aria-label="Comments">
      {comments.length === 0 ? (
        <EmptyState title="No comments yet">
          {canWrite ? 'Write what you see and pick the hypothesis it belongs to.' : null}
        </EmptyState>
      ) : (
        <VirtualRows
          as="ol"
          className={`${styles['comments']}`}
          rows={comments}
          keyOf={idOf}
          estimate={estimateComment}
          pinned={[target?.commentId]}
          renderRow={(comment) => (
            <TimelineComment
              comment={comment}
              hypothesis={comment.hypothesis_id === null ? undefined : hypotheses.get(comment.hypothesis_id)}
              onShowHypothesis={showHypothesis}
            />
          )}
        />
      )}
      {canWrite ? <TimelineComposer incidentId={incidentId} /> : null}
      <Writers />
    </section>
  )
}

const idOf = ({ id }: CommentView): string => id

interface TimelineCommentProps {
  readonly comment: CommentView
  readonly hypothesis: HypothesisView | undefined
  readonly onShowHypothesis: (hypothesisId: string) => void
}

const TimelineComment = memo(function TimelineComment({ comment, hypothesis, onShowHypothesis }: TimelineCommentProps) {
  return (
    <CommentItem comment={comment} isLocked={hypothesis?.removed != null}>
      {hypothesis ? (
        <Button
          size="small"
          variant="minimal"
          icon={<DiagramTree size={12} />}
          text={hypothesis.removed ? `${hypothesis.title} (removed)` : hypothesis.title}
          disabled={hypothesis.removed !== null}
          onClick={() => onShowHypothesis(hypothesis.id)}
        />
      ) : null}
    </CommentItem>
  )
})

const HypothesisOption = memo(function HypothesisOption({ line: { hypothesis, level } }: { line: TreeLine }) {
  return (
    <option value={hypothesis.id}>
      {INDENT.repeat(level - 1)}
      {hypothesisTitle(hypothesis)}
    </option>
  )
})

/** The box of the timeline. It owns its draft, so that typing re-renders nothing else. */
function TimelineComposer({ incidentId }: { incidentId: string }): ReactNode {
  const hypotheses = useIncidentPart((room) => room.view.hypotheses)
  const childrenOf = useIncidentPart((room) => room.view.childrenOf)
  const [draft, changeDraft, clearDraft] = useCommentDraft(`incident/${incidentId}`)
  const [toLines] = useState(createTreeLines)
  const lines = useMemo(() => toLines({ hypotheses, childrenOf }, NO_ONE_COLLAPSED), [toLines, hypotheses, childrenOf])
  // The options are only visible once the list is open, so titles that others type may arrive a moment later.
  const optionLines = useDeferredValue(lines)
  const options = useMemo(
    () => optionLines.map((line) => <HypothesisOption key={line.hypothesis.id} line={line} />),
    [optionLines],
  )
  const roots = childrenOf.get('') ?? []
  const onlyRoot = roots.length === 1 ? (roots[0]?.id ?? null) : null
  // Someone else may have removed the chosen one. If there is only one root, comments belong to it.
  const isChosenThere = lines.some(({ hypothesis }) => hypothesis.id === draft.hypothesisId)
  const hypothesisId = isChosenThere ? draft.hypothesisId : onlyRoot
  return (
    <CommentBox
      draft={draft}
      onChange={changeDraft}
      onDone={clearDraft}
      hypothesisId={hypothesisId}
      place={NEW_COMMENT}
    >
      <HTMLSelect
        aria-label="Hypothesis"
        value={hypothesisId ?? ''}
        onChange={({ currentTarget }) => changeDraft({ hypothesisId: currentTarget.value })}
      >
        {onlyRoot === null ? <option value="">Select a hypothesis</option> : null}
        {options}
      </HTMLSelect>
    </CommentBox>
  )
}
