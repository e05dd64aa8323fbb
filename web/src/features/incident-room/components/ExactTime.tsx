import { parseMoment } from '../../../ui/formatTime.ts'
import { useExactTime } from '../../../ui/useExactTime.ts'

interface ExactTimeProps {
  /** RFC 3339. */
  at: string | null | undefined
}

/** A moment to the second with its zone, because the record of an incident is read long afterwards. */
export function ExactTime({ at }: ExactTimeProps) {
  const toExact = useExactTime()
  const moment = parseMoment(at)
  if (Number.isNaN(moment)) return <span className="wr-muted">–</span>
  return <time dateTime={new Date(moment).toISOString()}>{toExact(moment)}</time>
}
