import type { CommentView } from '@watchroom/shared/collab'
import { useMemo } from 'react'

import { useIncidentItems, useIncidentPart } from '../../../collab/useIncident.ts'
import { VirtualRows } from '../../../ui/VirtualRows.tsx'
import { CommentBox } from '../comments/CommentBox.tsx'
import { CommentItem, estimateComment } from '../comments/CommentItem.tsx'
import { useCommentDraft } from '../comments/useCommentDraft.ts'
import { Writers } from '../comments/Writers.tsx'
import { currentOf } from '../currentOf.ts'
import { EvidenceList } from '../evidence/EvidenceList.tsx'
import { newCommentOf } from '../places.ts'

import styles from '../incidentRoom.module.css'

/** Evidence and comments of one hypothesis, inside its row. */
export function HypothesisDetails({ hypothesisId }: { hypothesisId: string }) {
  const comments = useIncidentItems(hypothesisId, ({ view }) => currentOf(view.comments, hypothesisId))
  const canWrite = useIncidentPart((room) => room.canWrite)
  return (
    <div className={styles['hypothesisDetails']}>
      <EvidenceList hypothesisId={hypothesisId} />
      {comments.length === 0 ? null : (
        <VirtualRows
          as="ol"
          className={`${styles['comments']}`}
          rows={comments}
          keyOf={idOf}
          estimate={estimateComment}
          renderRow={renderComment}
        />
      )}
      {canWrite ? <HypothesisComposer hypothesisId={hypothesisId} /> : null}
      <Writers hypothesisId={hypothesisId} />
    </div>
  )
}

const idOf = ({ id }: CommentView): string => id
const renderComment = (comment: CommentView) => <CommentItem comment={comment} />

/** It owns its draft, so that typing re-renders nothing else. */
function HypothesisComposer({ hypothesisId }: { hypothesisId: string }) {
  const [draft, changeDraft, clearDraft] = useCommentDraft(`hypothesis/${hypothesisId}`)
  const place = useMemo(() => newCommentOf(hypothesisId), [hypothesisId])
  return (
    <CommentBox draft={draft} onChange={changeDraft} onDone={clearDraft} hypothesisId={hypothesisId} place={place} />
  )
}
