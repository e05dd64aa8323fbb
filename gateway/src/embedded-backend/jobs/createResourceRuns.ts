// Runs what has rows with a spec and a schedule (scrapers, topologies): which there are, when they run, one run of each at a time.
// Knows nothing of what a run does.
import { createScheduler } from '../../check-runner/createScheduler.ts'
import type { Schedule } from '../../check-runner/schedule.ts'
import { createPasses, RETRY_MS } from '../checks/createPasses.ts'
import type { ChannelListener } from '../postgres/createChannels.ts'
import type { BackendContext } from '../server/context.ts'

export interface ScheduledResource {
  readonly id: string
  readonly last: Date | null
}

export interface ResourceRunsOptions<Row extends ScheduledResource, Outcome> {
  /** What they are called in the log: `scrapers`. */
  readonly part: string
  /** Tells of edited rows. */
  readonly channel: string
  /** At once, of all. */
  readonly maxConcurrent: number
  readonly deadlineMs: number
  /** Those that are run here. */
  readonly rows: string
  /** What of a row makes another run worth it when it changes. */
  readonly versionOf: (row: Row) => unknown
  readonly scheduleOf: (row: Row) => Schedule
  /** What tells that a run may find something new. */
  readonly watch?: (row: Row, onChange: () => void) => readonly { close(): void }[]
  /** After rows were read: those that are gone may leave something behind. */
  readonly afterReading: () => Promise<void>
  /** @returns null when another backend runs it, or it is not there any more */
  readonly run: (id: string, signal: AbortSignal) => Promise<Outcome | null>
}

export type RunNow<Outcome> =
  | { readonly kind: 'ran'; readonly record: Outcome }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'running' }
  /** It did not end at its deadline. */
  | { readonly kind: 'overdue' }

export interface ResourceRuns<Outcome> {
  start(): void
  /**
   * Runs one now.
   *
   * @throws whatever kept it from being recorded
   */
  runNow(id: string): Promise<RunNow<Outcome>>
  /** Ends what runs; the next start goes on with it. Needs the database. */
  close(): Promise<void>
}

/** A burst of edits is one look. */
const SYNC_DELAY_MS = 50
const CLOSE_MS = 5_000

interface Known {
  readonly version: string
  readonly watches: readonly { close(): void }[]
}

export function createResourceRuns<Row extends ScheduledResource, Outcome>(
  {
    pool,
    channels,
    clock,
    random,
    logger: parent,
  }: Pick<BackendContext, 'pool' | 'channels' | 'clock' | 'random' | 'logger'>,
  options: ResourceRunsOptions<Row, Outcome>,
): ResourceRuns<Outcome> {
  const { part, channel, maxConcurrent, deadlineMs } = options
  const logger = parent.child({ part })
  const known = new Map<string, Known>()
  const running = new Set<string>()
  let listener: ChannelListener | null = null

  const scheduler = createScheduler<Outcome | null>({
    clock,
    random,
    maxConcurrent,
    graceMs: CLOSE_MS,
    execute: async (id, signal) => {
      running.add(id)
      try {
        return await options.run(id, signal)
      } finally {
        running.delete(id)
      }
    },
    record: ({ id, ending }) => {
      if (ending.kind === 'failed') logger.warn({ err: ending.error, id }, 'not run')
    },
  })
  const passes = createPasses({ clock, logger })

  const follow = (row: Row): void => {
    const version = JSON.stringify(options.versionOf(row))
    const before = known.get(row.id)
    if (before?.version === version) return
    for (const watching of before?.watches ?? []) watching.close()
    const watches = options.watch?.(row, () => scheduler.runSoon([row.id])) ?? []
    known.set(row.id, { version, watches })
    scheduler.set([
      {
        id: row.id,
        lane: part,
        schedule: options.scheduleOf(row),
        deadlineMs,
        lastRuntime: row.last?.getTime() ?? null,
        nextRuntime: null,
      },
    ])
    // What is watched may have changed while nobody did.
    if (before || watches.length > 0) scheduler.runSoon([row.id])
  }

  const sync = async (): Promise<void> => {
    try {
      const { rows } = await pool.query<Row>(options.rows)
      if (passes.isClosed()) return
      const there = new Set(rows.map(({ id }) => id))
      for (const [id, { watches }] of known) {
        if (there.has(id)) continue
        for (const watching of watches) watching.close()
        known.delete(id)
        scheduler.remove(id)
      }
      for (const row of rows) follow(row)
      await options.afterReading()
    } catch (error) {
      if (passes.isClosed()) return
      logger.warn({ err: error }, 'rows cannot be read, trying again')
      plan(RETRY_MS)
    }
  }

  let isPlanned = false
  const plan = (delayMs = SYNC_DELAY_MS): void => {
    if (isPlanned) return
    isPlanned = true
    passes.after(delayMs, () => {
      isPlanned = false
      void passes.inTurn(sync)
    })
  }

  return {
    start: () => {
      listener = channels.listen({
        channel,
        onNotification: () => plan(),
        onConnected: () => plan(),
      })
    },
    runNow: async (id) => {
      if (!scheduler.has(id)) await passes.inTurn(sync)
      if (!scheduler.has(id)) return { kind: 'unknown' }
      if (running.has(id)) return { kind: 'running' }
      const ending = (await scheduler.runNow(id))?.ending
      switch (ending?.kind) {
        case undefined:
          return { kind: 'unknown' }
        case 'finished':
          return ending.outcome ? { kind: 'ran', record: ending.outcome } : { kind: 'running' }
        case 'failed':
          throw ending.error
        case 'timed-out':
          return { kind: 'overdue' }
        case 'still-running':
          return { kind: 'running' }
      }
    },
    close: async () => {
      listener?.close()
      for (const { watches } of known.values()) for (const watching of watches) watching.close()
      await passes.close()
      await scheduler.close()
    },
  }
}
