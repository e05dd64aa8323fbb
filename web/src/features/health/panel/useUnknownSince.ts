import type { CheckSummary } from '@watchroom/shared/health'
import { parseTimestamp } from '@watchroom/shared/time'

import { useServerNow } from '../../../ui/clock.tsx'

const DAY_MS = 86_400_000

/** `Unknown since 10:31` for a check whose agent is silent; null while it is heard. */
export function useUnknownSince(check: Pick<CheckSummary, 'unknown_since'>): string | null {
  const now = useServerNow()
  const at = parseTimestamp(check.unknown_since)
  if (at === null) return null
  const time = new Intl.DateTimeFormat(undefined, {
    ...(now - at < DAY_MS ? {} : { day: 'numeric', month: 'short' }),
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  }).format(at)
  return `Unknown since ${time}`
}
