// Passes over the database in the background: one at a time, soon or again and again, until they are closed.
import type { Clock } from '@watchroom/shared/kernel'
import type { Logger } from 'pino'

export interface Passes {
  readonly isClosed: () => boolean
  /** After what is under way: a later pass must not undo what an earlier one has not yet applied. Does nothing when closed. */
  inTurn(work: () => Promise<void>): Promise<void>
  /** Once, after a while. */
  after(delayMs: number, work: () => void): void
  /** What plans one pass for all calls that come within `delayMs`; a failure is logged. */
  soonOnce(name: string, delayMs: number, work: () => Promise<void>): () => void
  /** Repeats `work`; a failure is logged and the next time comes sooner. */
  repeat(name: string, periodMs: number, work: () => Promise<void>): void
  /** Cancels what is planned. Resolves when the pass that is under way has ended. */
  close(): Promise<void>
}

/** After a failure. */
export const RETRY_MS = 2_000

export function createPasses({ clock, logger }: { clock: Clock; logger: Logger }): Passes {
  const cancels = new Set<() => void>()
  let isClosed = false
  /** Ends with the last pass that is under way or waits. */
  let turn: Promise<void> = Promise.resolve()

  const after = (delayMs: number, work: () => void): void => {
    if (isClosed) return
    const cancel = clock.schedule(() => {
      cancels.delete(cancel)
      work()
    }, delayMs)
    cancels.add(cancel)
  }

  const inTurn = async (work: () => Promise<void>): Promise<void> => {
    const previous = turn
    let finish = (): void => undefined
    turn = new Promise((resolve) => {
      finish = resolve
    })
    await previous
    try {
      if (!isClosed) await work()
    } finally {
      finish()
    }
  }

  return {
    isClosed: () => isClosed,
    inTurn,
    after,
    soonOnce: (name, delayMs, work) => {
      let isPlanned = false
      return () => {
        if (isPlanned) return
        isPlanned = true
        after(delayMs, () => {
          isPlanned = false
          inTurn(work).catch((error: unknown) => {
            if (!isClosed) logger.warn({ err: error, pass: name }, 'a pass failed')
          })
        })
      }
    },
    repeat: (name, periodMs, work) => {
      const plan = (delayMs: number): void =>
        after(delayMs, () => {
          work().then(
            () => plan(periodMs),
            (error: unknown) => {
              if (!isClosed) logger.warn({ err: error, pass: name }, 'a pass failed, trying again')
              plan(Math.min(periodMs, RETRY_MS))
            },
          )
        })
      plan(periodMs)
    },
    close: async () => {
      isClosed = true
      for (const cancel of cancels) cancel()
      await turn
    },
  }
}
