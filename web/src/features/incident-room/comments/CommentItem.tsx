import { Button } from '@blueprintjs/core'
import { Edit, Link, Tick, Trash } from '@blueprintjs/icons'
import type { CommentView } from '@watchroom/shared/collab'
import { parseComment } from '@watchroom/shared/incidents'
import { memo, type ReactNode, useState } from 'react'

import { usePeople } from '../../../api/people.ts'
import { CollabTextArea } from '../../../collab/CollabText.tsx'
import { NotSaved } from '../../../collab/NotSaved.tsx'
import { peerColor } from '../../../collab/peerColor.ts'
import { TouchMark } from '../../../collab/TouchMark.tsx'
import { useIncidentPart } from '../../../collab/useIncident.ts'
import { copyText } from '../../../ui/copyToClipboard.ts'
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
  /** Its hypothesis was removed, and the comment with it: read-only until that is restored. */
  readonly isLocked?: boolean
  /** What it belongs to. */
  readonly children?: ReactNode
}

/** Cached per comment: lists ask for thousands of heights whenever one changes, and a changed comment is a new object. */
const estimated = new WeakMap<Pick<CommentView, 'body'>, number>()

/** Estimated height of a comment in pixels: its head, and a line per ninety letters or so. */
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

function CommentItemView({ comment, isLocked = false, children }: CommentItemProps) {
  const edit = useIncidentPart((room) => room.edit)
  const isOwn = useIncidentPart((room) => room.self.user.id === comment.created_by)
  const mayChange = useIncidentPart((room) => !isLocked && room.canWrite && (isOwn || room.canModerate))
  const { nameOf } = usePeople()
  const toExact = useExactTime()
  const [isEditing, setEditing] = useState(false)
  const author = comment.external_created_by ?? nameOf(comment.created_by) ?? '…'

  const handleRemove = (): void => {
    const refusal = attempt(() => edit.removeComment(comment.id))
    if (refusal === null) showToast('Comment removed', { text: 'Undo', onClick: handleRestore })
    else showErrorToast(refusal)
  }
  const handleRestore = (): void => {
    const refusal = attempt(() => edit.restoreComment(comment.id))
    if (refusal !== null) showErrorToast(refusal)
  }
  return (
    <article
      className={styles['comment']}
      data-entity={`comments/${comment.id}`}
      // A link to it puts the keyboard here.
      tabIndex={-1}
      aria-label={`Comment of ${author}, ${toExact(parseMoment(comment.created_at))}`}
    >
      <TouchMark path={`comments/${comment.id}`} />
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
          <span className={styles['commentTools']}>
            <IconButton
              size="small"
              icon={<Link size={14} />}
              label="Copy link"
              onClick={() => void copyText(linkTo(comment.id))}
            />
            {mayChange && !isEditing ? (
              <IconButton
                size="small"
                icon={<Edit size={14} />}
                label="Edit comment"
                onClick={() => setEditing(true)}
              />
            ) : null}
            {mayChange ? (
              <IconButton size="small" icon={<Trash size={14} />} label="Remove comment" onClick={handleRemove} />
            ) : null}
          </span>
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
              // In the text above, mentions contain ids, which nobody recognizes.
              <figure className={styles['commentPreview']} aria-label="Preview">
                <CommentBody body={comment.body} />
              </figure>
            ) : null}
          </div>
        ) : (
          <CommentBody body={comment.body} />
        )}
        <NotSaved entity="comments" id={comment.id} />
      </div>
    </article>
  )
}

/** Address of a comment in the incident that is open. */
const linkTo = (commentId: string): string =>
  `${location.origin}${location.pathname}?${new URLSearchParams({ comment: commentId }).toString()}`
