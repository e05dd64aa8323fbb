import { PopoverNext } from '@blueprintjs/core'

import './collab.css'
import { capitalize } from '@watchroom/shared/kernel'
import type { ReactNode } from 'react'

import { HoverCard } from '../ui/HoverCard.tsx'
import { toInitials } from '../ui/toInitials.ts'
import type { PresentPeer } from './contract.ts'

const MAX_SHOWN = 3

interface PresenceAvatarsProps {
  readonly peers: readonly PresentPeer[]
  /** The peer that is followed, marked. */
  readonly following?: number | null
  /** What a place is called, for example `Hypothesis: Queue is full`. */
  readonly nameOfPlace?: (entity: string) => string | undefined
  /** A peer was chosen: follow them if they lead, otherwise show where they are. */
  readonly onChoose?: (peer: PresentPeer) => void
  /** How many faces to show; the others are counted. */
  readonly max?: number
}

/** Who else is here, one face per tab, with a count for those that don't fit. */
export function PresenceAvatars({
  peers,
  following = null,
  nameOfPlace,
  onChoose,
  max = MAX_SHOWN,
}: PresenceAvatarsProps): ReactNode {
  if (peers.length === 0) return null
  // The most active come first; equals keep their order.
  const sorted = peers.toSorted((a, b) => activity(b) - activity(a))
  const shown = sorted.slice(0, max)
  const others = sorted.slice(max)
  const face = { following, nameOfPlace, onChoose }
  return (
    <ul className="collab-peers" aria-label={`${peers.length} ${peers.length === 1 ? 'other' : 'others'} here`}>
      {shown.map((peer) => (
        <li key={peer.clientId}>
          <PeerFace peer={peer} {...face} />
        </li>
      ))}
      {others.length > 0 ? (
        <li>
          <PopoverNext placement="bottom-end" content={<OtherPeers peers={others} {...face} />}>
            <button type="button" className="collab-peer collab-peer-count" aria-label={`${others.length} more here`}>
              <span data-letters={`+${others.length}`} aria-hidden />
            </button>
          </PopoverNext>
        </li>
      ) : null}
    </ul>
  )
}

interface FaceProps {
  readonly following: number | null
  readonly nameOfPlace: ((entity: string) => string | undefined) | undefined
  readonly onChoose: ((peer: PresentPeer) => void) | undefined
}

/** A component of its own, so that descriptions are only computed when it is open. */
function OtherPeers({ peers, ...face }: FaceProps & Pick<PresenceAvatarsProps, 'peers'>): ReactNode {
  return (
    <ul className="collab-peers-more">
      {peers.map((peer) => (
        <li key={peer.clientId}>
          <PeerFace peer={peer} {...face} /> <span>{describePeer(peer, face.nameOfPlace)}</span>
        </li>
      ))}
    </ul>
  )
}

function PeerFace({ peer, following, nameOfPlace, onChoose }: FaceProps & { readonly peer: PresentPeer }): ReactNode {
  const words = peerActivity(peer, nameOfPlace)
  return (
    <HoverCard
      placement="bottom"
      opensOnClick={onChoose === undefined}
      content={
        <>
          <strong>{peer.user.name}</strong>
          {words.map((word) => (
            <p key={word} className="wr-muted">
              {capitalize(word)}
            </p>
          ))}
        </>
      }
    >
      <button
        type="button"
        className="collab-peer"
        data-peer-color={peer.color}
        data-presence={peer.presence ?? 'active'}
        data-followed={peer.clientId === following}
        aria-label={[peer.user.name, ...words].join(', ')}
        onClick={() => onChoose?.(peer)}
      >
        {/* The style sheet draws the letters, so that they are not part of the button's name. */}
        {peer.user.avatar === null ? (
          <span data-letters={toInitials(peer.user.name)} aria-hidden />
        ) : (
          <img src={peer.user.avatar} alt="" />
        )}
      </button>
    </HoverCard>
  )
}

function activity({ presence, typing, editing }: PresentPeer): number {
  if (presence === 'away') return 0
  if (presence === 'idle') return 1
  return typing ? 4 : editing ? 3 : 2
}

/** `Ana, typing in Hypothesis: Queue is full`. */
export function describePeer(peer: PresentPeer, nameOfPlace?: (entity: string) => string | undefined): string {
  return [peer.user.name, ...peerActivity(peer, nameOfPlace)].join(', ')
}

/** What someone is doing here. Away and idle replace the place, which means nothing then. */
export function peerActivity(peer: PresentPeer, nameOfPlace?: (entity: string) => string | undefined): string[] {
  const { presence, typing, editing, viewing, screen, leading, canWrite } = peer
  const place = (entity: string | undefined): string => {
    const name = entity === undefined ? undefined : nameOfPlace?.(entity)
    return name === undefined ? '' : ` ${name}`
  }
  const looksAt = place(viewing?.entity) || place(screen ? `tabs/${screen.tab}` : undefined)
  const doing =
    presence === 'away'
      ? 'away'
      : presence === 'idle'
        ? 'idle'
        : editing
          ? typing
            ? `typing in${place(editing.entity) || ' a field'}`
            : `editing${place(editing.entity)}`
          : looksAt === ''
            ? 'here'
            : `looking at${looksAt}`
  return [doing, ...(canWrite ? [] : ['reading only']), ...(leading ? ['can be followed'] : [])]
}
