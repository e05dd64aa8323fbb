// Updates on their way into the log, and from there into the document: in the order in which they were handed over, so that log
// order is the order in which peers see them (COLLAB-3).

import type { Clock } from '@watchroom/shared/kernel'

import type { DocumentLog } from '../log/createDocumentLog.ts'
import type { Connection } from './connection.ts'
import { ROOM_LIMITS } from './roomLimits.ts'

/** Where an update comes from. */
export interface Sender {
  /** Null for the server itself. */
  readonly userId: string | null
  readonly newClientIds: readonly number[]
  readonly connection?: Connection
  /** The server's part of the update, which its sender does not have. */
  readonly stamp?: Uint8Array | null
}

export interface QueuedUpdate {
  readonly update: Uint8Array
  readonly sequence: number
  readonly sender: Sender
  /** Monotonic. */
  readonly queuedAt: number
}

export interface LogQueue {
  /** Resolves when the update is durable and applied. A failure is told once, by `onFailed`. */
  append(update: Uint8Array, sender: Sender): Promise<void>
  /** Handed over and not durable yet. */
  pending(): Uint8Array[]
  isEmpty(): boolean
  /** More waits than a log that answers would let wait. */
  isOverfull(): boolean
  /** Of the newest update that is durable. */
  sequence(): number
  /** Resolves, and never rejects, when nothing that was handed over by now is on its way any more. */
  settled(): Promise<void>
}

export interface LogQueueDeps {
  readonly name: string
  readonly epoch: string
  readonly log: DocumentLog
  readonly clock: Clock
  readonly startSequence: number
  /** What ended the room: durable or not, nothing is applied after it. */
  readonly failure: () => { readonly error: unknown } | null
  readonly apply: (queued: QueuedUpdate) => void
  readonly onFailed: (error: unknown) => void
}

export function createLogQueue(deps: LogQueueDeps): LogQueue {
  const { name, epoch, log, clock } = deps
  let handedOver = deps.startSequence
  let durable = deps.startSequence
  const inFlight: QueuedUpdate[] = []
  let inFlightBytes = 0
  /** Every update waits for the one before it. */
  let tail: Promise<void> = Promise.resolve()

  return {
    append: (update, sender) => {
      const sequence = ++handedOver
      const queued = { update, sequence, sender, queuedAt: clock.monotonic() }
      inFlight.push(queued)
      inFlightBytes += update.byteLength
      const { userId, newClientIds } = sender
      const logged = log.append({ document: name, epoch, sequence, update, userId, newClientIds })
      const applied = tail.then(async (): Promise<void> => {
        await logged
        const failure = deps.failure()
        if (failure) throw failure.error
        inFlight.shift()
        inFlightBytes -= update.byteLength
        durable = sequence
        deps.apply(queued)
      })
      // Whoever waits for the tail must not fail with it.
      logged.catch(() => undefined)
      tail = applied.catch(deps.onFailed)
      return applied
    },
    pending: () => inFlight.map(({ update }) => update),
    isEmpty: () => inFlight.length === 0,
    isOverfull: () => inFlightBytes > ROOM_LIMITS.inFlightBytes,
    sequence: () => durable,
    settled: () => tail,
  }
}
