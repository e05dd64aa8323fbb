import { useEffect, useRef, useState } from 'react'

import { useScreenClock } from '../ui/clock.tsx'

/** Speech takes about this long; announcing more often would cut it short. */
const MIN_INTERVAL_MS = 5_000

/**
 * Text for a polite live region: the latest one, at most every five seconds. What is there when the page opens is not announced.
 *
 * @param text null leaves the last announcement alone
 */
export function useAnnouncement(text: string | null): string {
  const { clock } = useScreenClock()
  const [announced, setAnnounced] = useState('')
  const last = useRef({ text, at: Number.NEGATIVE_INFINITY })
  useEffect(() => {
    if (text === null || text === last.current.text) return undefined
    const waitMs = Math.max(0, last.current.at + MIN_INTERVAL_MS - clock.monotonic())
    return clock.schedule(() => {
      last.current = { text, at: clock.monotonic() }
      setAnnounced(text)
    }, waitMs)
  }, [clock, text])
  return announced
}
