// Gathers records while the disk is busy and writes what waits at once. A disk that refuses is asked again; meanwhile records are
// kept in memory, and the oldest are given up when there are too many.
import { type Clock, sleep } from '@watchroom/shared/kernel'
import type { Logger } from 'pino'

/** A disk that refuses to write, for example because it is full, is tried again after this. */
const RETRY_MS = 1_000
/** Records kept in memory meanwhile; then the oldest go. */
const MAX_PENDING = 20_000

export interface QueueWriter {
  /** Resolves when the record is on disk, or given up. */
  append(record: string): Promise<void>
  /** Records that are not on disk yet. */
  waiting(): number
  /** Writes what waits, once. */
  close(): Promise<void>
}

export interface QueueWriterDeps {
  readonly clock: Clock
  readonly logger: Logger
  /** All of it is on disk when this resolves, and nothing when it rejects. */
  readonly write: (text: string, records: number) => Promise<void>
  /** Called behind each batch. Never rejects. */
  readonly tidy: () => Promise<void>
  /** @returns how many were lost so far */
  readonly noteLost: (count: number) => number
}

interface Pending {
  readonly line: string
  readonly resolve: () => void
}

export function createQueueWriter({ clock, logger, write, tidy, noteLost }: QueueWriterDeps): QueueWriter {
  let pending: Pending[] = []
  let inWriting = 0
  let writing: Promise<void> | null = null
  let isClosed = false

  async function writeAll(): Promise<void> {
    while (pending.length > 0) {
      const batch = pending
      pending = []
      inWriting = batch.length
      try {
        await write(batch.map(({ line }) => line).join(''), batch.length)
      } catch (error) {
        logger.error(
          { err: error, waiting: pending.length + batch.length },
          'results cannot be written to disk, trying again',
        )
        pending = [...batch, ...pending]
        inWriting = 0
        giveUp(isClosed ? pending.length : pending.length - MAX_PENDING)
        if (isClosed) return
        await sleep(clock, RETRY_MS)
        continue
      }
      inWriting = 0
      for (const { resolve } of batch) resolve()
      await tidy()
    }
  }

  function giveUp(excess: number): void {
    if (excess <= 0) return
    logger.error(
      { lost: excess, lostSinceStart: noteLost(excess) },
      'RESULTS LOST: the disk refuses them and the memory for them is full',
    )
    for (const { resolve } of pending.splice(0, excess)) resolve()
  }

  function start(): void {
    writing ??= writeAll().finally(() => {
      writing = null
      if (pending.length > 0) start()
    })
  }

  return {
    append: (record) =>
      new Promise((resolve) => {
        pending.push({ line: `${record}\n`, resolve })
        start()
      }),
    waiting: () => inWriting + pending.length,
    close: async () => {
      isClosed = true
      await writing
    },
  }
}
