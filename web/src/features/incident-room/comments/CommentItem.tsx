import { Button } from '@blueprintjs/core'
import { Edit, Tick, Trash } from '@blueprintjs/icons'
import type { CommentView } from '@watchroom/shared/collab'
import { parseComment } from '@watchroom/shared/incidents'
import { memo, type ReactNode, useState } from 'react'

import { usePeople } from '../../../api/people.ts'
import { CollabTextArea } from '../../../collab/CollabText.tsx'
import { peerColor } from '../../../collab/peerColor.ts'
import { useIncidentPart } from '../../../collab/useIncident.ts'
import { parseMoment } from '../../../ui/formatTime.ts'
import { IconButton } from '../../../ui/IconButton.tsx'
import { showErrorToast, showToast } from '../../../ui/toaster.ts'
import { toInitials } from '../../../ui/toInitials.ts'
import { useExactTime } from '../../../ui/useExactTime.ts'
import { attempt } from '../attempt.ts'
import { ExactTime } from '../components/ExactTime.tsx'
import { PersonCard } from '../components/PersonCard.tsx'
import { CommentBody } from './CommentBody.tsx'

import styles from '../incidentRoom.module.css'

interface CommentItemProps {
  readonly comment: CommentView
  /** What it belongs to. */
  readonly children?: ReactNode
}

/** By comment: lists ask for the heights of thousands with each change of one, and a comment that changed is another object. */
const estimated = new WeakMap<Pick<CommentView, 'body'>, number>()

/** Height that a comment probably has, in pixels: head, and a line for some ninety letters. */
export function estimateComment(comment: Pick<CommentView, 'body'>): number {
  const known = estimated.get(comment)
  if (known !== undefined) return known
  const lines = comment.body.split('\n').reduce((sum, line) => sum + 1 + Math.floor(line.length / 90), 0)
  const heightPx = 50 + 18 * lines
  estimated.set(comment, heightPx)
  return heightPx
}

/** One comment. Its author and moderators may change and remove it. Renders for its own comment only. */
export const CommentItem = memo(CommentItemView)

function CommentItemView({ comment, children }: CommentItemProps) {
  const edit = useIncidentPart((room) => room.edit)
  const undo = useIncidentPart((room) => room.undo)
  const isOwn = useIncidentPart((room) => room.self.user.id === comment.created_by)
  const mayChange = useIncidentPart((room) => room.canWrite && (isOwn || room.canModerate))
  const { nameOf } = usePeople()
  const toExact = useExactTime()
  const [isEditing, setEditing] = useState(false)
  const author = comment.external_created_by ?? nameOf(comment.created_by) ?? '…'

  const handleRemove = (): void => {
    const refusal = attempt(() => edit.removeComment(comment.id))
    if (refusal === null) showToast('Comment removed', { text: 'Undo', onClick: () => void undo.undo() })
    else showErrorToast(refusal)
  }
  return (
    <article
      className={styles['comment']}
      data-entity={`comments/${comment.id}`}
      // A link to it puts the keyboard here.
      tabIndex={-1}
      aria-label={`Comment of ${author}, ${toExact(parseMoment(comment.created_at))}`}
    >
      <span className={styles['face']} data-peer-color={peerColor(comment.created_by)} aria-hidden>
        {toInitials(author)}
      </span>
      <div>
        <header className={styles['commentHead']}>
          {comment.external_created_by === null ? (
            <PersonCard personId={comment.created_by} className={`${styles['commentAuthor']}`}>
              {author}
            </PersonCard>
          ) : (
            <strong>{author}</strong>
          )}
          <span className="wr-muted">
            <ExactTime at={comment.created_at} />
          </span>
          {children}
          {mayChange ? (
            <span className={styles['commentTools']}>
              {isEditing ? null : (
                <IconButton
                  size="small"
                  icon={<Edit size={14} />}
                  label="Edit comment"
                  onClick={() => setEditing(true)}
                />
              )}
              <IconButton size="small" icon={<Trash size={14} />} label="Remove comment" onClick={handleRemove} />
            </span>
          ) : null}
        </header>
        {isEditing && mayChange ? (
          <div className={styles['commentEdit']}>
            <CollabTextArea
              text={edit.commentBody(comment.id)}
              field={`comments/${comment.id}/body`}
              aria-label="Comment"
              // oxlint-disable-next-line jsx-a11y/no-autofocus -- the person just asked to write here
              autoFocus
            />
            <Button size="small" icon={<Tick size={14} />} text="Done" onClick={() => setEditing(false)} />
            {parseComment(comment.body).some(({ kind }) => kind === 'mention') ? (
              // Whoever is named stands with their id in the text above, which nobody recognizes.
              <figure className={styles['commentPreview']} aria-label="Preview">
                <CommentBody body={comment.body} />
              </figure>
            ) : null}
          </div>
        ) : (
          <CommentBody body={comment.body} />
        )}
      </div>
    </article>
  )
}
