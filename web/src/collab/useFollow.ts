import { useEffect, useRef } from 'react'

import { useLatest } from '../ui/useLatest.ts'
import type { IncidentRoom, OpenParts } from './contract.ts'
import { useConnection } from './IncidentRoomProvider.tsx'
import { useIncidentPart } from './useIncident.ts'

/** The person's own input ends following. */
const OWN_INPUT = ['wheel', 'touchmove', 'pointerdown', 'keydown'] as const

interface Shown {
  readonly tab?: string | undefined
  readonly panel?: string | undefined
  readonly entity?: string | undefined
  readonly ratio?: number
}
const NOTHING: Shown = {}

/** Something new that the followed peer shows. */
export type Followed =
  | { readonly kind: 'screen'; readonly screen: OpenParts }
  | { readonly kind: 'place'; readonly entity: string }
  /** How far the tab is scrolled, 0 to 1. Without a tab, for peers that don't say which, it applies to whatever is open. */
  | { readonly kind: 'scroll'; readonly ratio: number; readonly tab: string | undefined }

/**
 * Follows the chosen peer: reports each of their new tabs, places and scroll positions. Esc, scrolling, a click or a key ends it.
 * Someone who starts following is taken to the place first, and scrolled from then on.
 */
export function useFollow(onShow: (followed: Followed) => void): void {
  const connection = useConnection()
  const followed = useIncidentPart(toFollowed)
  const isFollowing = followed !== undefined
  const ratio = followed?.leading?.ratio ?? 0
  const entity = followed?.viewing?.entity
  const tab = followed?.screen?.tab
  const panel = followed?.screen?.panel

  const show = useLatest(onShow)

  const shown = useRef<Shown>(NOTHING)
  useEffect(() => {
    const before = shown.current
    shown.current = isFollowing ? { tab, panel, entity, ratio } : NOTHING
    if (!isFollowing) return
    if (tab !== undefined && panel !== undefined && (before.tab !== tab || before.panel !== panel))
      show({ kind: 'screen', screen: { tab, panel } })
    if (entity !== undefined && before.entity !== entity) show({ kind: 'place', entity })
    else if (before.ratio !== ratio) show({ kind: 'scroll', ratio, tab })
  }, [isFollowing, tab, panel, entity, ratio, show])

  useEffect(() => {
    if (!isFollowing) return undefined
    const stop = (): void => connection.room().follow(null)
    for (const type of OWN_INPUT) document.addEventListener(type, stop, { passive: true, capture: true })
    return () => {
      for (const type of OWN_INPUT) document.removeEventListener(type, stop, { capture: true })
    }
  }, [connection, isFollowing])
}

const toFollowed = ({ peers, following }: IncidentRoom) => peers.find(({ clientId }) => clientId === following)
