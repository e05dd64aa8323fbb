// What a pushed time means on our clock. An agent's clock may be an hour off: its results are kept, with a note of what its
// clock said, but the board's time is ours (docs/adr/0008-agent-clocks.md).

/** Network, batching and ordinary drift; below this a time is taken as it is. */
const SKEW_TOLERANCE_MS = 5_000

/**
 * How far an agent's clock is ahead of ours, in milliseconds; negative when it is behind, 0 within the tolerance.
 *
 * Without `sentAt` a past time may as well be backlog, so only a time in the future tells anything.
 *
 * @param newestAt start of the newest pushed run on the agent's clock
 */
export function measureSkew(now: number, sentAt: number | null, newestAt: number | null): number {
  const latest = Math.max(sentAt ?? -Infinity, newestAt ?? -Infinity)
  if (latest === -Infinity) return 0
  const aheadMs = latest - now
  if (Math.abs(aheadMs) <= SKEW_TOLERANCE_MS) return 0
  return sentAt === null ? Math.max(0, aheadMs) : aheadMs
}

/** The details of a result with what the agent's clock said, when that is not what is stored as its time. */
export function noteSkew(
  details: Readonly<Record<string, unknown>> | null,
  time: string,
  aheadMs: number,
): Readonly<Record<string, unknown>> | null {
  return aheadMs === 0 ? details : { ...details, agent_clock: { time, ahead_ms: aheadMs } }
}
