/** Whoever wants to know what is true now shares a question that is no older than this. */
const SHARED_MS = 1_000

/** A question under way. */
export interface Pending<Answer> {
  /** Monotonic time. */
  readonly askedAt: number
  readonly answer: Promise<Answer>
}

/** Whether someone may be given its answer, which tells what was true when it was asked. @param maxAgeMs oldest answer to accept */
export const isShared = <Answer>(
  pending: Pending<Answer> | null | undefined,
  now: number,
  maxAgeMs: number,
): pending is Pending<Answer> =>
  pending !== null && pending !== undefined && now - pending.askedAt < Math.max(maxAgeMs, SHARED_MS)
