import './collab.css'
import { Button } from '@blueprintjs/core'
import { EyeOn } from '@blueprintjs/icons'
import type { ReactNode } from 'react'

import type { IncidentRoom } from './contract.ts'
import { peerNames } from './PeerRing.tsx'

type FollowBannerProps = Pick<IncidentRoom, 'following' | 'followers' | 'peers' | 'self' | 'follow' | 'lead'>

/** Who follows whom, and the way out of it. */
export function FollowBanner({ following, followers, peers, self, follow, lead }: FollowBannerProps): ReactNode {
  const leader = peers.find(({ clientId }) => clientId === following)
  if (leader) {
    return (
      <output className="collab-banner" data-peer-color={leader.color}>
        <EyeOn size={16} />
        <span>
          Following <strong>{leader.user.name}</strong>. Press Esc, scroll or type to stop.
        </span>
        <span className="collab-banner-actions">
          <Button size="small" text="Stop following" onClick={() => follow(null)} />
        </span>
      </output>
    )
  }
  if (!self.leading) return null
  return (
    <output className="collab-banner" data-peer-color={self.color}>
      <EyeOn size={16} />
      <span>
        {followers.length === 0 ? 'Others can follow you.' : `${followers.length} following: ${peerNames(followers)}.`}{' '}
        They see what you’re looking at and where you scroll.
      </span>
      <span className="collab-banner-actions">
        <Button size="small" text="Stop leading" onClick={() => lead(false)} />
      </span>
    </output>
  )
}
