// Sends what is due: at most one message at a time to each recipient and a few to each machine, so that one that hangs keeps nobody
// else waiting. No transaction is open meanwhile.
import { type Clock, createTimer, waitAtMost } from '@watchroom/shared/kernel'
import type { Logger } from 'pino'

import { raceDeadline } from '../../platform/withDeadline.ts'
import { nextAttemptMs, type Refusal } from './retry.ts'
import type { Outcome, Send, Sends } from './sends.ts'

/** What a message says, and whether it is still to be sent. */
export type Prepared =
  | {
      readonly kind: 'message'
      readonly title: string
      readonly body: string
      readonly deliver: (signal: AbortSignal) => Promise<void>
    }
  | { readonly kind: 'held-back' }

export interface DispatcherDeps {
  readonly sends: Sends
  readonly prepare: (send: Send) => Promise<Prepared>
  /** Why a message was not taken. */
  readonly judge: (error: unknown) => Refusal & { readonly text: string }
  /** After the last attempt that failed; may be called again for the same message. */
  readonly onGivenUp: (send: Send) => Promise<void>
  readonly clock: Clock
  readonly random: () => number
  readonly logger: Logger
}

export interface Dispatcher {
  /** Something may be due. */
  wake(): void
  close(): Promise<void>
}

const MAX_SENDING = 64
const MAX_PER_RECEIVER = 4
/** Shorter than the loan of a row. */
const MAX_SEND_MS = 10_000
/** Finds what another process left, and what a lost database connection hid. */
const LOOK_MS = 15_000
const CLOSE_MS = 2_000

export function createDispatcher(deps: DispatcherDeps): Dispatcher {
  const { sends, clock, logger } = deps
  const timer = createTimer(clock)
  const closing = new AbortController()
  const underWay = new Map<string, { readonly send: Send; readonly done: Promise<void> }>()
  let looking: Promise<void> | null = null
  let isAskedAgain = false

  const busy = () => {
    const open = [...underWay.values()].map(({ send }) => send)
    const count = (receiver: string): number => open.filter((send) => send.receiver === receiver).length
    return {
      recipients: open.map(({ person_id: person, connection_id: connection }) => person ?? connection ?? ''),
      receivers: [...new Set(open.map(({ receiver }) => receiver))].filter((name) => count(name) >= MAX_PER_RECEIVER),
    }
  }

  async function look(): Promise<void> {
    // Asked before what is due is taken: what falls due in between is taken, or looked for at once. Asked afterwards, it was neither.
    const nextMs = await sends.nextInMs()
    const askedAt = clock.monotonic()
    while (!closing.signal.aborted && underWay.size < MAX_SENDING) {
      const send = await sends.take(busy())
      if (send === null) break
      const done = sendOne(send).finally(() => {
        underWay.delete(send.id)
        wake()
      })
      underWay.set(send.id, { send, done })
    }
    const restMs = (nextMs ?? LOOK_MS) - (clock.monotonic() - askedAt)
    if (!closing.signal.aborted) timer.set(wake, Math.min(LOOK_MS, Math.max(0, restMs)))
  }

  /** Looks one after the other; asked meanwhile, it looks again. */
  function wake(): void {
    if (closing.signal.aborted) return
    if (looking) {
      isAskedAgain = true
      return
    }
    looking = look()
      .catch((error: unknown) => {
        if (closing.signal.aborted) return
        logger.warn({ err: error }, 'notifications cannot be read, trying again')
        timer.set(wake, LOOK_MS)
      })
      .finally(() => {
        looking = null
        if (!isAskedAgain) return
        isAskedAgain = false
        wake()
      })
  }

  async function sendOne(send: Send): Promise<void> {
    const startedAt = clock.monotonic()
    const sinceMs = (): number => clock.monotonic() - startedAt
    let outcome: Outcome
    try {
      const prepared = await deps.prepare(send)
      if (prepared.kind === 'message') {
        await deliverInTime(prepared)
        const { title, body } = prepared
        outcome = { status: send.is_fallback ? 'fallback' : 'sent', title, body, durationMs: sinceMs() }
      } else {
        outcome = { status: 'held-back' }
      }
    } catch (error) {
      // Ended by our own end: the next process takes it up.
      if (closing.signal.aborted) return
      outcome = toFailure(send, error, sinceMs())
    }
    try {
      // First, so that it is not lost when this process dies in between.
      if (outcome.status === 'error') await deps.onGivenUp(send)
      await sends.settle(send, outcome)
    } catch (error) {
      logger.warn({ err: error, sendId: send.id }, 'what became of a notification cannot be written, it is sent again')
    }
  }

  const deliverInTime = ({ deliver }: Extract<Prepared, { kind: 'message' }>): Promise<void> => {
    const toReason = (): Error => new Error(`it did not take the message within ${MAX_SEND_MS / 1_000} s`)
    return raceDeadline({ clock, limitMs: MAX_SEND_MS, signal: closing.signal, toReason }, deliver)
  }

  function toFailure(send: Send, error: unknown, durationMs: number): Outcome {
    const { text, ...refusal } = deps.judge(error)
    logger.debug({ sendId: send.id, attempts: send.attempts }, 'a notification was not taken')
    const retryMs = nextAttemptMs(send.attempts, refusal, deps.random)
    return retryMs === null
      ? { status: 'error', error: text, durationMs }
      : { status: 'pending', error: text, durationMs, retryMs }
  }

  return {
    wake,
    close: async () => {
      closing.abort(new Error('the server stops'))
      timer.clear()
      await looking
      const all = Promise.all([...underWay.values()].map(({ done }) => done))
      await waitAtMost(clock, all, CLOSE_MS)
    },
  }
}
