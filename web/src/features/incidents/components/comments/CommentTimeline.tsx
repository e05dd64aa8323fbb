import { Button, HTMLSelect } from '@blueprintjs/core'
import { DiagramTree } from '@blueprintjs/icons'

import { useIncidentPart } from '../../../../collab/useIncident.ts'
import { EmptyState } from '../../../../ui/EmptyState.tsx'
import { toTreeLines } from '../tree/moves.ts'
import { CommentBox } from './CommentBox.tsx'
import { CommentItem } from './CommentItem.tsx'
import { useCommentDraft } from './useCommentDraft.ts'

interface CommentTimelineProps {
  readonly incidentId: string
  /** Shows the hypothesis a comment belongs to. */
  readonly onShowHypothesis: (hypothesisId: string) => void
}

const NO_ONE_COLLAPSED: ReadonlySet<string> = new Set()
/** An option cannot be indented by style sheet. */
const INDENT = '\u00A0\u00A0'

/** Everything that was said, oldest first, and the box to say more. */
export function CommentTimeline({ incidentId, onShowHypothesis }: CommentTimelineProps) {
  const view = useIncidentPart((room) => room.view)
  const canWrite = useIncidentPart((room) => room.canWrite)
  const [draft, changeDraft, clearDraft] = useCommentDraft(`incident/${incidentId}`)
  const comments = view.comments.filter(({ removed }) => removed === null)
  const lines = toTreeLines(view, NO_ONE_COLLAPSED)
  // The chosen one may have been removed by somebody else meanwhile.
  const hypothesisId = lines.some(({ hypothesis }) => hypothesis.id === draft.hypothesisId) ? draft.hypothesisId : null

  return (
    <section className="room-timeline" aria-label="Comments">
      {comments.length === 0 ? (
        <EmptyState title="No comments yet">
          {canWrite ? 'Say what you see, and to which hypothesis it belongs.' : null}
        </EmptyState>
      ) : (
        <ol className="room-comments">
          {comments.map((comment) => {
            const hypothesis = comment.hypothesis_id === null ? undefined : view.hypotheses.get(comment.hypothesis_id)
            return (
              <li key={comment.id}>
                <CommentItem comment={comment}>
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
              </li>
            )
          })}
        </ol>
      )}
      {canWrite ? (
        <CommentBox draft={draft} onChange={changeDraft} onDone={clearDraft} hypothesisId={hypothesisId}>
          <HTMLSelect
            aria-label="Hypothesis"
            value={hypothesisId ?? ''}
            onChange={({ currentTarget }) => changeDraft({ hypothesisId: currentTarget.value })}
          >
            <option value="">Select a hypothesis</option>
            {lines.map(({ hypothesis, level }) => (
              <option key={hypothesis.id} value={hypothesis.id}>
                {INDENT.repeat(level - 1)}
                {hypothesis.title || 'Untitled'}
              </option>
            ))}
          </HTMLSelect>
        </CommentBox>
      ) : null}
    </section>
  )
}
