import { parseComment } from '@watchroom/shared/incidents'

/** A comment as it is read: people who are named stand out. */
export function CommentBody({ body }: { body: string }) {
  return (
    <p className="room-comment-body">
      {parseComment(body).map((part, index) =>
        part.kind === 'text' ? (
          part.text
        ) : (
          // oxlint-disable-next-line react/no-array-index-key -- a part has no identity but its place
          <span key={index} className="room-mention">
            @{part.name}
          </span>
        ),
      )}
    </p>
  )
}
