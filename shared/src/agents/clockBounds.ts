import type { ClockBounds } from './upstream.ts'

/** A call and its answer as the agent saw them. Milliseconds since the epoch. */
export interface ClockExchange {
  /** Agent's clock. */
  readonly sentAt: number
  /** The upstream's clock while it had the call in its hands. */
  readonly upstreamAt: number
  /** Agent's clock. */
  readonly answeredAt: number
}

/**
 * What exchanges prove of the agent's clock: each was sent before the upstream read its clock and answered after it, however long
 * it waited at either side. The quickest exchanges bound it best.
 *
 * @param exchanges oldest first, all by one setting of both clocks
 * @returns null when there are none
 */
export function toClockBounds(exchanges: readonly ClockExchange[]): ClockBounds | null {
  let bounds: ClockBounds | null = null
  for (const { sentAt, upstreamAt, answeredAt } of exchanges) {
    const [least, most] = [sentAt - upstreamAt, answeredAt - upstreamAt]
    if (least > most) continue
    const narrower: ClockBounds = {
      least_ms: Math.max(bounds?.least_ms ?? least, least),
      most_ms: Math.min(bounds?.most_ms ?? most, most),
    }
    // Contradiction: a clock was set in between, and only the newer word is about the present.
    bounds = narrower.least_ms <= narrower.most_ms ? narrower : { least_ms: least, most_ms: most }
  }
  return bounds
}
