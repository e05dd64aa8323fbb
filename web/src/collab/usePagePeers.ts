import { type PresencePage, type PresentTab, presenceTopic } from '@watchroom/shared/protocol'
import { useMemo } from 'react'

import { useSession } from '../api/session.tsx'
import { useTopic } from '../live/useTopic.ts'
import type { PresentPeer } from './contract.ts'
import { peerColor } from './peerColor.ts'

/** Who else has the page of a row open, one entry per tab. Empty while that cannot be known: people may have left. */
export function usePagePeers(page: PresencePage, id: string): readonly PresentPeer[] {
  const { user } = useSession()
  const { rows, state } = useTopic(presenceTopic, { page, id })
  return useMemo(() => (state === 'live' ? toPeers(rows, user.id) : []), [rows, state, user.id])
}

/** A person's tabs look the same, so it does not matter which one of our own is left out. */
function toPeers(tabs: readonly PresentTab[], ownId: string): readonly PresentPeer[] {
  const own = tabs.find(({ userId }) => userId === ownId)
  return tabs
    .filter((tab) => tab !== own)
    .map(({ id, userId, name }) => ({
      clientId: Number(id),
      color: peerColor(userId),
      user: { id: userId, name, avatar: null },
      canWrite: true,
    }))
}
