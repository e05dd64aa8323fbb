import { useCallback, useEffect, useRef } from 'react'

import { useScreenClock } from '../ui/clock.tsx'
import type { Place } from './contract.ts'
import { useConnection } from './IncidentRoomProvider.tsx'

/** After this long without a key, someone is no longer typing. */
export const TYPING_MS = 2_000

export interface Writing {
  /** The person typed something there. */
  readonly typed: () => void
  /** They moved on, or are done. */
  readonly left: () => void
}

/**
 * Tells others that this person is writing something at a place that nobody else can see yet, such as a comment.
 *
 * @param place must stay the same object while it is the same place
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
