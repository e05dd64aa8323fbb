import { useServerNow } from './clock.tsx'
import { formatAge, parseMoment } from './formatTime.ts'
import { Tip } from './Tip.tsx'
import { useExactTime } from './useExactTime.ts'

interface TimeAgoProps {
  /** RFC 3339, or milliseconds since the epoch. */
  at: string | number | null | undefined
  /** Shown when there is no time. */
  absent?: string
}

/** How long ago, for recency; the exact time with its zone on hover and focus. */
export function TimeAgo({ at, absent = '–' }: TimeAgoProps) {
  const now = useServerNow()
  const moment = parseMoment(at)
  if (Number.isNaN(moment)) {
    return (
      <span className="wr-muted" data-absent>
        {absent}
      </span>
    )
  }

  return (
    <Tip content={<ExactTime moment={moment} />}>
      <time dateTime={new Date(moment).toISOString()}>{formatAge(moment, now)}</time>
    </Tip>
  )
}

/** Asks for the zone when it is shown: most times never are. */
function ExactTime({ moment }: { moment: number }): string {
  return useExactTime()(moment)
}
