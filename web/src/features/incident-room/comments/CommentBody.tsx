import { useQuery } from '@tanstack/react-query'
import { parseComment } from '@watchroom/shared/incidents'

import { peopleQuery } from '../../../api/people.ts'
import { PersonCard } from '../components/PersonCard.tsx'
import { shownMention } from './mentions.ts'

import styles from '../incidentRoom.module.css'

/** A comment for reading, with mentions highlighted. */
export function CommentBody({ body }: { body: string }) {
  return (
    <p className={styles['commentBody']}>
      {parseComment(body).map((part, index) =>
        // oxlint-disable-next-line react/no-array-index-key -- a part has no identity but its place
        part.kind === 'text' ? part.text : <Mention key={index} name={part.name} userId={part.userId} />,
      )}
    </p>
  )
}

function Mention({ name, userId }: { readonly name: string; readonly userId: string }) {
  const { data: people } = useQuery(peopleQuery)
  return (
    <PersonCard personId={userId} className={`${styles['mention']}`}>
      @{shownMention({ name, userId }, people)}
    </PersonCard>
  )
}
