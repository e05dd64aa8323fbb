import { peerNames } from '../../../collab/PeerRing.tsx'
import { useIncidentItems } from '../../../collab/useIncident.ts'
import { isNewComment } from '../places.ts'

import styles from '../incidentRoom.module.css'

interface WritersProps {
  /** Only writers of comments on this hypothesis; default: on any. */
  readonly hypothesisId?: string
}

/** Who is writing a comment, in a line that is always there, so that nothing moves when someone starts. */
export function Writers({ hypothesisId }: WritersProps) {
  const writers = useIncidentItems(hypothesisId ?? '', ({ peers }) =>
    peers.filter(({ typing, editing }) => typing === true && isNewComment(editing, hypothesisId)),
  )
  return (
    <p className={styles['writers']}>
      {writers.length === 0 ? null : `${peerNames(writers)} ${isOnePerson(writers) ? 'is' : 'are'} writing…`}
    </p>
  )
}

const isOnePerson = (peers: readonly { readonly user: { readonly id: string } }[]): boolean =>
  new Set(peers.map(({ user }) => user.id)).size === 1
