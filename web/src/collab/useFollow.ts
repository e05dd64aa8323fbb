import { useEffect, useMemo, useRef } from 'react'

import type { IncidentRoom, Place } from './contract.ts'
import { useConnection } from './IncidentRoomProvider.tsx'
import { useIncidentPart } from './useIncident.ts'

/** Input of one's own that ends following: whoever does something goes their own way. */
const OWN_INPUT = ['wheel', 'touchmove', 'pointerdown', 'keydown'] as const

/**
 * Follows the chosen peer: tells each new place of theirs, until it ends. Esc, scrolling, a click or a key ends it.
 *
 * @param onShow shows an entity; `ratio` says how far down it is scrolled, 0 to 1
 */
export function useFollow(onShow: (place: Place | null, ratio: number) => void): void {
  const connection = useConnection()
  const followed = useIncidentPart(toFollowed)
  const isFollowing = followed !== undefined
  const ratio = followed?.leading?.ratio ?? 0
  const entity = followed?.viewing?.entity
  const field = followed?.viewing?.field

  const show = useRef(onShow)
  useEffect(() => {
    show.current = onShow
  })

  const place = useMemo<Place | null>(
    () => (entity === undefined ? null : { entity, ...(field === undefined ? {} : { field }) }),
    [entity, field],
  )
  useEffect(() => {
    if (isFollowing) show.current(place, ratio)
  }, [isFollowing, place, ratio])

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
