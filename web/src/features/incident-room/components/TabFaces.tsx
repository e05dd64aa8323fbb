import type { PresentPeer } from '../../../collab/contract.ts'
import { useIncidentItems } from '../../../collab/useIncident.ts'
import { toInitials } from '../../../ui/toInitials.ts'
import type { RoomTab } from '../search.ts'

import styles from '../incidentRoom.module.css'

/** So few that the tabs stay side by side on a phone. */
const MAX_FACES = 3

/** One peer per person. */
export function peopleIn(peers: readonly PresentPeer[], tab: RoomTab): readonly PresentPeer[] {
  const there = peers.filter(({ screen, presence }) => screen?.tab === tab && presence !== 'away')
  return [...new Map(there.map((peer) => [peer.user.id, peer])).values()]
}

/** Who else is in a tab: one face per person. Part of the tab's name, not a separate control. */
export function TabFaces({ tab }: { readonly tab: RoomTab }) {
  const people = useIncidentItems(tab, ({ peers }) => peopleIn(peers, tab))
  if (people.length === 0) return null
  const others = people.length - MAX_FACES
  return (
    <span className={styles['tabFaces']}>
      {people.slice(0, MAX_FACES).map(({ user, color }) => (
        <span
          key={user.id}
          className={styles['tabFace']}
          data-peer-color={color}
          data-letters={toInitials(user.name)}
          aria-hidden
        />
      ))}
      {others > 0 ? <span className={styles['tabFaceCount']} data-letters={`+${others}`} aria-hidden /> : null}
      <span className="wr-visually-hidden"> {people.map(({ user }) => `${user.name} is here`).join(', ')}</span>
    </span>
  )
}
