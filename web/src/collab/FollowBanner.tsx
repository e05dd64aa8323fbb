import './collab.css'
import { Button } from '@blueprintjs/core'
import { EyeOn } from '@blueprintjs/icons'
import { type ReactNode, useEffect, useEffectEvent } from 'react'

import { showToast } from '../ui/toaster.ts'
import type { FollowEnd, IncidentRoom } from './contract.ts'
import { peerNames } from './PeerRing.tsx'

type FollowBannerProps = Pick<
  IncidentRoom,
  'following' | 'followEnd' | 'followers' | 'peers' | 'self' | 'follow' | 'lead' | 'link'
>

/** Who follows whom, and how to stop. Says once when following ends, and why. */
export function FollowBanner(props: FollowBannerProps): ReactNode {
  const { following, followEnd, followers, peers, self, follow, lead, link } = props
  const tellEnd = useEffectEvent(({ peer, reason }: FollowEnd) => {
    const name = peer.user.name
    if (reason === 'self')
      showToast(`You stopped following ${name}.`, { text: 'Follow again', onClick: () => follow(peer.clientId) })
    else if (reason === 'stopped') showToast(`${name} stopped leading. You’re on your own now.`)
    else if (link === 'online') showToast(`${name} left. You’re on your own now.`)
    else showToast(`The connection was lost. You no longer follow ${name}.`)
  })
  useEffect(() => {
    if (followEnd !== null) tellEnd(followEnd)
  }, [followEnd])
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
        They see which tab and section you open and where you scroll.
      </span>
      <span className="collab-banner-actions">
        <Button size="small" text="Stop leading" onClick={() => lead(false)} />
      </span>
    </output>
  )
}
