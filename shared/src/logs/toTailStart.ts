import { parseTimestamp } from '../time/index.ts'

/** Hosts and shippers are apart: so much later than others a line may come. */
const LATE_MS = 5_000

/** From where on lines are asked for that came since the newest one that is here: some say an earlier time. */
export function toTailStart(newest: string): string {
  const at = parseTimestamp(newest)
  return at === null ? newest : new Date(at - LATE_MS).toISOString()
}
