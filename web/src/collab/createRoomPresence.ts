// Who is at a document: this tab, as it announces itself, the others, and whom it follows.

import { PeerSchema, type PeerState, type PeerUser } from '@watchroom/shared/collab'
import type { Clock } from '@watchroom/shared/kernel'
import { deepEqual } from '@watchroom/shared/protocol'

import type { FollowEnd, IncidentRoom, PresentPeer } from './contract.ts'
import type { DocumentLife } from './createDocumentLife.ts'
import { createOwnPresence, type OwnPresence } from './createOwnPresence.ts'
import { createTouches } from './createTouches.ts'
import { peerColor } from './peerColor.ts'

export interface RoomPresence extends Pick<OwnPresence, 'noteActivity' | 'setHidden' | 'close'> {
  readonly shown: () => Pick<IncidentRoom, 'peers' | 'self' | 'following' | 'followEnd' | 'followers' | 'touched'>
  /** Others changed this: paths with the client id of whoever changed them; null if unknown. */
  readonly touched: (changed: ReadonlyMap<string, number | null>) => void
  readonly setPlace: IncidentRoom['setPlace']
  readonly follow: IncidentRoom['follow']
  readonly lead: IncidentRoom['lead']
  readonly isShown: () => boolean
  readonly setShown: (isShown: boolean) => void
  /** There is a new link: tells others again that this tab is here. */
  readonly announce: () => void
  /** There is a new document, with nobody in it yet. */
  readonly join: (life: DocumentLife) => void
}

export interface RoomPresenceDeps {
  readonly clock: Clock
  readonly user: PeerUser
  /** The first one. */
  readonly life: DocumentLife
  readonly onChange: () => void
}

export function createRoomPresence(deps: RoomPresenceDeps): RoomPresence {
  const { user, onChange } = deps
  let { life } = deps
  let isShown = true
  /** The peer who is followed, in their last state. */
  let leader: PresentPeer | null = null
  let followEnd: FollowEnd | null = null
  let peers: readonly PresentPeer[] = []
  const touches = createTouches(deps.clock, onChange)
  const peersByState = new WeakMap<object, PresentPeer>()

  const tell = (own: PeerState): void => {
    life.awareness.setLocalState(isShown ? own : null)
    onChange()
  }
  const own = createOwnPresence(deps.clock, tell)

  const toPeer = (clientId: number, value: object): PresentPeer | null => {
    const known = peersByState.get(value)
    if (known) return known
    const { data } = PeerSchema.safeParse(value)
    if (!data) return null
    const before = peers.find((each) => each.clientId === clientId)
    const said = { ...data, clientId, color: peerColor(data.user.id) }
    // A peer whose state is unchanged stays the same object.
    const peer = before && deepEqual(before, said) ? before : said
    peersByState.set(value, peer)
    return peer
  }

  const setLeader = (next: PresentPeer | null, end: FollowEnd | null): void => {
    leader = next
    followEnd = end
    own.update({ following: next === null ? null : String(next.clientId) })
  }

  const follow = (clientId: number | null): void => {
    const target = peers.find((peer) => peer.clientId === clientId)
    if (target?.leading) setLeader(target, null)
    else if (leader !== null) setLeader(null, { peer: leader, reason: 'self' })
  }

  const lookAtLeader = (): void => {
    if (leader === null) return
    const { clientId } = leader
    const now = peers.find((peer) => peer.clientId === clientId)
    if (now === undefined) setLeader(null, { peer: leader, reason: 'left' })
    else if (!now.leading) setLeader(null, { peer: now, reason: 'stopped' })
    else leader = now
  }

  const read = (): void => {
    const { awareness, doc } = life
    peers = [...awareness.getStates()]
      .flatMap(([clientId, value]) => (clientId === doc.clientID ? [] : (toPeer(clientId, value) ?? [])))
      .toSorted((a, b) => a.clientId - b.clientId)
    lookAtLeader()
    onChange()
  }

  life.awareness.on('change', read)
  return {
    ...own,
    shown: () => {
      const clientId = life.doc.clientID
      const self = { ...own.state(), user, canWrite: life.canWrite(), clientId, color: peerColor(user.id) }
      const followers = peers.filter((peer) => peer.following === String(clientId))
      return { peers, self, following: leader?.clientId ?? null, followEnd, followers, touched: touches.all() }
    },
    touched: (changed) => {
      const peerOf = (id: number | null) => peers.find(({ clientId }) => clientId === id) ?? null
      touches.note(new Map([...changed].map(([path, client]) => [path, peerOf(client)])))
    },
    setPlace: own.update,
    follow,
    lead: (isLeading, ratio = 0) =>
      own.update({ leading: isLeading ? { ratio: Math.min(1, Math.max(0, ratio)) } : null }),
    isShown: () => isShown,
    setShown: (shown) => {
      isShown = shown
      // Someone who comes back was told already, or was not here when it ended.
      if (!shown) followEnd = null
      tell(own.state())
    },
    announce: () => tell(own.state()),
    join: (next) => {
      life.awareness.off('change', read)
      life = next
      life.awareness.on('change', read)
      tell(own.state())
      read()
    },
    close: () => {
      life.awareness.off('change', read)
      touches.close()
      own.close()
    },
  }
}
