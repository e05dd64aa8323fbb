import type { ReactNode } from 'react'

import './collab.css'
import { listNames } from '../ui/listNames.ts'
import type { PresentPeer } from './contract.ts'

interface PeerRingProps {
  /** Peers that are here; without any, nothing is drawn. */
  readonly peers: readonly PresentPeer[]
  readonly children: ReactNode
}

/** A frame in the identity color of whoever is at its content, with their name. */
export function PeerRing({ peers, children }: PeerRingProps): ReactNode {
  const first = peers[0]
  return (
    <span className="collab-ring" {...(first ? { 'data-peer-color': first.color } : {})}>
      {children}
      {first ? (
        <span className="collab-ring-name" aria-hidden="true">
          {first.user.name}
          {peers.length > 1 ? ` +${peers.length - 1}` : ''}
        </span>
      ) : null}
    </span>
  )
}

/** `Ana and Bo`: each person once, however many tabs they have open. */
export function peerNames(peers: readonly PresentPeer[]): string {
  return listNames([...new Map(peers.map(({ user }) => [user.id, user.name])).values()])
}
