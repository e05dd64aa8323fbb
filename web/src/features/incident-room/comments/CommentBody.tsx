import { parseComment } from '@watchroom/shared/incidents'

import { PersonCard } from '../components/PersonCard.tsx'

import styles from '../incidentRoom.module.css'

/** A comment as it is read: people who are named stand out. */
export function CommentBody({ body }: { body: string }) {
  return (
    <p className={styles['commentBody']}>
      {parseComment(body).map((part, index) =>
        part.kind === 'text' ? (
          part.text
        ) : (
          // oxlint-disable-next-line react/no-array-index-key -- a part has no identity but its place
          <PersonCard key={index} personId={part.userId} className={`${styles['mention']}`}>
            @{part.name}
          </PersonCard>
        ),
      )}
    </p>
  )
}
