// What a pushed time means on our clock. An agent's clock may be an hour off: its results are kept, with a note of what its
// clock said, but the board's time is ours. And a push may have waited: at a gateway that stood still, in a slow network. So a
// time is moved only as far as it is proven to be wrong (docs/adr/0016-proven-clocks.md).
import type { ClockBounds } from '@watchroom/shared/agents/upstream'

/** Ordinary drift; a clock that is proven to be off by less is taken as it is. */
const SKEW_TOLERANCE_MS = 5_000

export interface ClockWitness {
  /** What the agent's exchanges prove. */
  readonly bounds?: ClockBounds | null | undefined
  /** By the agent's clock, when it sent the message that arrived by now. */
  readonly sentAt?: number | null | undefined
  /** Start of the newest pushed run on the agent's clock. */
  readonly newestAt?: number | null | undefined
}

/**
 * How far an agent's clock is ahead of ours, in milliseconds; negative when it is behind, 0 when it is not proven to be off.
 *
 * Nothing arrives before it was sent, so one message proves a clock to be ahead. That one is behind cannot be told from a
 * message that waited: only exchanges that the agent saw from end to end prove it.
 */
export function measureSkew(now: number, { bounds, sentAt, newestAt }: ClockWitness): number {
  // A result that waited may be of a time in which the clock was wrong: it is no witness where there are others.
  const arrival = Math.max(sentAt ?? -Infinity, bounds ? -Infinity : (newestAt ?? -Infinity)) - now
  const least = Math.max(bounds?.least_ms ?? -Infinity, arrival)
  const most = bounds?.most_ms ?? Infinity
  // Sent later than the exchanges allow: the clock was set forward since, and they speak of the past.
  const isCurrent = least <= most
  if (least > SKEW_TOLERANCE_MS) return Math.round(isCurrent && most !== Infinity ? (least + most) / 2 : arrival)
  if (isCurrent && most < -SKEW_TOLERANCE_MS) return Math.round((least + most) / 2)
  return 0
}

/**
 * No run starts in the future: what is still ahead of us is from a time in which the clock was more wrong than it is now.
 *
 * @param times starts of runs on our clock, as far as it is known
 * @returns by how much those that lie ahead are to be moved back; 0 for a moment that is within the tolerance
 */
export function measureExcess(now: number, times: readonly number[]): number {
  const excess = Math.max(0, ...times) - now
  return excess > SKEW_TOLERANCE_MS ? excess : 0
}

/** The details of a result with what the agent's clock said, when that is not what is stored as its time. */
export function noteSkew(details: unknown, time: string, aheadMs: number): unknown {
  if (aheadMs === 0) return details
  const noted = { agent_clock: { time, ahead_ms: aheadMs } }
  if (details === null) return noted
  return typeof details === 'object' && !Array.isArray(details) ? { ...details, ...noted } : { details, ...noted }
}
