import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'

import { peopleQuery, personName } from '../../../api/people.ts'
import { peerActivity } from '../../../collab/PresenceAvatars.tsx'
import { useIncidentPart } from '../../../collab/useIncident.ts'
import { HoverCard } from '../../../ui/HoverCard.tsx'
import { nameOfPlace } from '../places.ts'

interface PersonCardProps {
  readonly personId: string
  readonly className: string
  /** The name shown. */
  readonly children: ReactNode
}

/** Someone's name; on hover, focus or click also who they are and what they are doing here. */
export function PersonCard({ personId, className, children }: PersonCardProps) {
  return (
    <HoverCard opensOnClick content={<PersonFacts personId={personId} />}>
      <button type="button" className={`wr-hover-text ${className}`}>
        {children}
      </button>
    </HoverCard>
  )
}

function PersonFacts({ personId }: { personId: string }) {
  const { data } = useQuery(peopleQuery)
  const person = data?.find(({ id }) => id === personId)
  const view = useIncidentPart((room) => room.view)
  const peers = useIncidentPart((room) => room.peers)
  const isSelf = useIncidentPart((room) => room.self.user.id === personId)
  if (data === undefined) return <p className="wr-muted">…</p>
  if (person === undefined) return <p>Unknown person</p>
  const tabs = peers.filter(({ user }) => user.id === personId)
  return (
    <>
      <strong>{personName(person)}</strong>
      {person.email ? <p className="wr-muted">{person.email}</p> : null}
      {person.deleted_at === null ? null : <p className="wr-muted">No longer has an account</p>}
      {tabs.map((peer) => (
        <p key={peer.clientId}>{peerActivity(peer, (entity) => nameOfPlace(view, entity)).join(', ')}</p>
      ))}
      {tabs.length === 0 && person.deleted_at === null ? (
        <p className="wr-muted">{isSelf ? 'You' : 'Not in this incident right now'}</p>
      ) : null}
    </>
  )
}
