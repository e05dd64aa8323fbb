import type { Clock } from '@watchroom/shared/kernel'

interface DeadlineOptions {
  readonly clock: Clock
  readonly limitMs: number
  /** Ends the work earlier. */
  readonly signal?: AbortSignal
  /** What the work is told when its time is over. */
  readonly toReason?: () => Error
}

export interface Deadline {
  /** Aborted when the time is over, or with the signal that was given. */
  readonly signal: AbortSignal
  /** Whether the time is over. */
  readonly isOver: () => boolean
}

/** Work that takes `limitMs` at most, if it obeys its signal. */
export async function withDeadline<Answer>(
  { clock, limitMs, signal, toReason = () => new Error('overdue') }: DeadlineOptions,
  work: (deadline: Deadline) => Promise<Answer>,
): Promise<Answer> {
  const overdue = new AbortController()
  const cancel = clock.schedule(() => overdue.abort(toReason()), limitMs)
  try {
    return await work({
      signal: signal === undefined ? overdue.signal : AbortSignal.any([signal, overdue.signal]),
      isOver: () => overdue.signal.aborted,
    })
  } finally {
    cancel()
  }
}

/**
 * The same for work that may ignore its signal: it is not awaited, and its signal is aborted once nobody waits any more.
 *
 * @throws the reason of whatever ended it
 */
export function raceDeadline<Answer>(
  options: DeadlineOptions,
  work: (signal: AbortSignal) => Promise<Answer>,
): Promise<Answer> {
  return withDeadline(options, async ({ signal }) => {
    signal.throwIfAborted()
    const given = new AbortController()
    try {
      return await untilAborted(signal, work(AbortSignal.any([signal, given.signal])))
    } finally {
      given.abort()
    }
  })
}

/** Waits for work that cannot be stopped, such as a call of the file system. @throws the reason of the signal, once it is aborted */
export async function untilAborted<Answer>(signal: AbortSignal, work: Promise<Answer>): Promise<Answer> {
  let handleAbort = (): void => undefined
  const aborted = new Promise<never>((_, reject) => {
    handleAbort = () => reject(signal.reason as Error)
    if (signal.aborted) handleAbort()
    else signal.addEventListener('abort', handleAbort, { once: true })
  })
  try {
    return await Promise.race([work, aborted])
  } finally {
    signal.removeEventListener('abort', handleAbort)
  }
}
