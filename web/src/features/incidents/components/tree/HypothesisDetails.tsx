import { useIncidentPart } from '../../../../collab/useIncident.ts'
import { CommentBox } from '../comments/CommentBox.tsx'
import { CommentItem } from '../comments/CommentItem.tsx'
import { useCommentDraft } from '../comments/useCommentDraft.ts'
import { EvidenceList } from '../evidence/EvidenceList.tsx'

/** Evidence and comments of one hypothesis, inside its row. */
export function HypothesisDetails({ hypothesisId }: { hypothesisId: string }) {
  const all = useIncidentPart((room) => room.view.comments)
  const canWrite = useIncidentPart((room) => room.canWrite)
  const [draft, changeDraft, clearDraft] = useCommentDraft(`hypothesis/${hypothesisId}`)
  const comments = all.filter((comment) => comment.hypothesis_id === hypothesisId && comment.removed === null)
  return (
    <div className="room-hypothesis-details">
      <EvidenceList hypothesisId={hypothesisId} />
      {comments.length === 0 ? null : (
        <ol className="room-comments">
          {comments.map((comment) => (
            <li key={comment.id}>
              <CommentItem comment={comment} />
            </li>
          ))}
        </ol>
      )}
      {canWrite ? (
        <CommentBox draft={draft} onChange={changeDraft} onDone={clearDraft} hypothesisId={hypothesisId} />
      ) : null}
    </div>
  )
}
