import { useCallback, useEffect, useRef } from 'react'

import { useScreenClock } from '../ui/clock.tsx'
import type { Place } from './contract.ts'
import { useConnection } from './IncidentRoomProvider.tsx'

/** Whoever has not typed for this long is not typing. */
export const TYPING_MS = 2_000

export interface Writing {
  /** The person typed something there. */
  readonly typed: () => void
  /** They went elsewhere, or are done. */
  readonly left: () => void
}

/**
 * Tells others that this person writes at a place something that nobody else sees yet, as a comment is.
 *
 * @param place stays the same object while it is the same place
 */
export function useWriting(place: Place): Writing {
  const connection = useConnection()
  const { clock } = useScreenClock()
  const isHere = useRef(false)
  const cancelTyping = useRef((): void => undefined)

  const left = useCallback(() => {
    cancelTyping.current()
    if (isHere.current) connection.room().setPlace({ editing: null, typing: false })
    isHere.current = false
  }, [connection])
  const typed = useCallback(() => {
    const { setPlace } = connection.room()
    isHere.current = true
    setPlace({ editing: place, typing: true })
    cancelTyping.current()
    cancelTyping.current = clock.schedule(() => setPlace({ typing: false }), TYPING_MS)
  }, [connection, clock, place])
  useEffect(() => left, [left])
  return { typed, left }
}
