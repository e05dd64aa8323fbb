import { Tooltip } from '@blueprintjs/core'
import { useEffect, useState } from 'react'

import { useScreenClock, useServerNow } from './clock.tsx'
import { formatAge, formatExact, parseMoment } from './formatTime.ts'

/** Milliseconds the pointer rests before the exact time shows: crossing a table must not flash one per row. */
const HOVER_MS = 300

interface TimeAgoProps {
  /** RFC 3339, or milliseconds since the epoch. */
  at: string | number | null | undefined
  /** Shown when there is no time. */
  absent?: string
}

/**
 * How long ago, for recency; the exact time with its zone on hover and focus.
 * The tooltip exists only while it is wanted: lists show thousands of times.
 */
export function TimeAgo({ at, absent = '–' }: TimeAgoProps) {
  const now = useServerNow()
  const [isWanted, setWanted] = useState(false)
  const isOpen = useTooltipDelay(isWanted, () => setWanted(false))
  const moment = parseMoment(at)
  if (Number.isNaN(moment)) return <span className="wr-muted">{absent}</span>

  const time = <time dateTime={new Date(moment).toISOString()}>{formatAge(moment, now)}</time>
  return (
    <span
      onPointerEnter={() => setWanted(true)}
      onPointerLeave={() => setWanted(false)}
      onFocus={() => setWanted(true)}
      onBlur={() => setWanted(false)}
    >
      {isOpen ? (
        <Tooltip compact isOpen content={formatExact(moment)}>
          {time}
        </Tooltip>
      ) : (
        time
      )}
    </span>
  )
}

/** True once the wish has lasted; Escape ends it. */
function useTooltipDelay(isWanted: boolean, onDismiss: () => void): boolean {
  const { clock } = useScreenClock()
  const [isRipe, setRipe] = useState(false)
  useEffect(() => {
    if (!isWanted) return undefined
    const cancel = clock.schedule(() => setRipe(true), HOVER_MS)
    return () => {
      cancel()
      setRipe(false)
    }
  }, [clock, isWanted])
  useEffect(() => {
    if (!isRipe) return undefined
    const handleKeyDown = (event: KeyboardEvent): void => {
      if (event.key === 'Escape') onDismiss()
    }
    document.addEventListener('keydown', handleKeyDown)
    return () => document.removeEventListener('keydown', handleKeyDown)
  }, [isRipe, onDismiss])
  return isWanted && isRipe
}
