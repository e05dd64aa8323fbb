// Scrapers as one part of the backend: which there are, when they run, one run of each at a time, and the log of their runs.
import { hostname } from 'node:os'

import { tryParseSchedule } from '@watchroom/shared/health/check-types'
import { NIL_UUID } from '@watchroom/shared/kernel'
import { DEFAULT_SCRAPER_SCHEDULE, type ItemRules, ScraperSpecSchema } from '@watchroom/shared/specs'

import { createScheduler } from '../../check-runner/createScheduler.ts'
import { lookApart } from '../../check-runner/lookApart.ts'
import { everySchedule, type Schedule, toSchedule } from '../../check-runner/schedule.ts'
import { type ChannelListener, createChannelListener } from '../checks/createChannelListener.ts'
import { createPasses, RETRY_MS } from '../checks/createPasses.ts'
import type { BackendContext } from '../server/context.ts'
import type { Family } from './family.ts'
import { forgetDeleted } from './forgetDeleted.ts'
import { recordRun, type RunRecord, SCRAPE_JOB } from './recordRun.ts'
import { sourcesOf } from './run/readItems.ts'
import type { ScraperRow } from './run/runScraper.ts'

export interface Scrapers {
  start(): void
  /** Runs a scraper now. */
  runNow(id: string): Promise<RunNow>
  /** Ends what runs; the next start goes on with it. Needs the database. */
  close(): Promise<void>
}

export type RunNow =
  | { readonly kind: 'ran'; readonly record: RunRecord }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'running' }

const CHANNEL = 'watchroom_scrapers'
/** A burst of edits is one look. */
const SYNC_DELAY_MS = 50
/** At once: each holds documents in memory. */
const MAX_CONCURRENT = 2
const DEADLINE_MS = 15 * 60_000
const CLOSE_MS = 5_000
const BROKEN_PERIOD_MS = 30 * 60_000

interface Known {
  readonly version: string
  readonly watches: readonly { close(): void }[]
}

type Row = ScraperRow & { readonly last: Date | null }

/** Those of other agents are theirs to run. */
const ROWS = `select id, name, spec, (
    select max(time_start) from job_history
    where resource_type = '${SCRAPE_JOB.resourceType}' and resource_id = config_scrapers.id::text
      and name = '${SCRAPE_JOB.name}') as last
  from config_scrapers where deleted_at is null and agent_id = '${NIL_UUID}' order by id`

export function createScrapers(context: BackendContext, families: ReadonlyMap<string, Family>): Scrapers {
  const { pool, vault, clock, random } = context
  const logger = context.logger.child({ part: 'scrapers' })
  const known = new Map<string, Known>()
  const running = new Set<string>()
  let listener: ChannelListener | null = null
  const deps = { pool, vault, clock, logger, families, lookUp: lookApart, hostname: hostname() }

  const scheduler = createScheduler<RunRecord | null>({
    clock,
    random,
    maxConcurrent: MAX_CONCURRENT,
    graceMs: CLOSE_MS,
    execute: async (id, signal) => {
      running.add(id)
      try {
        return await recordRun(id, signal, deps)
      } finally {
        running.delete(id)
      }
    },
    record: ({ id, ending }) => {
      if (ending.kind === 'failed') logger.warn({ err: ending.error, scraperId: id }, 'scraper not run')
    },
  })
  const passes = createPasses({ clock, logger })

  const follow = (row: Row): void => {
    const version = JSON.stringify([row.name, row.spec])
    const before = known.get(row.id)
    if (before?.version === version) return
    for (const watching of before?.watches ?? []) watching.close()
    const watches = watch(row, families, () => scheduler.runSoon([row.id]))
    known.set(row.id, { version, watches })
    const schedule = scheduleOf(row.spec)
    scheduler.set([
      {
        id: row.id,
        lane: 'scraper',
        schedule,
        deadlineMs: DEADLINE_MS,
        lastRuntime: row.last?.getTime() ?? null,
        nextRuntime: null,
      },
    ])
    // What is watched may have changed while nobody did.
    if (before || watches.length > 0) scheduler.runSoon([row.id])
  }

  const sync = async (): Promise<void> => {
    try {
      const { rows } = await pool.query<Row>(ROWS)
      if (passes.isClosed()) return
      const there = new Set(rows.map(({ id }) => id))
      for (const [id, { watches }] of known) {
        if (there.has(id)) continue
        for (const watching of watches) watching.close()
        known.delete(id)
        scheduler.remove(id)
      }
      for (const row of rows) follow(row)
      await forgetDeleted(pool)
    } catch (error) {
      if (passes.isClosed()) return
      logger.warn({ err: error }, 'scrapers cannot be read, trying again')
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
      listener = createChannelListener({
        pool,
        clock,
        logger,
        channel: CHANNEL,
        onNotification: () => plan(),
        onConnected: () => plan(),
      })
    },
    runNow: async (id) => {
      if (!scheduler.has(id)) await passes.inTurn(sync)
      if (!scheduler.has(id)) return { kind: 'unknown' }
      if (running.has(id)) return { kind: 'running' }
      const run = await scheduler.runNow(id)
      if (run?.ending.kind !== 'finished') return { kind: 'unknown' }
      return run.ending.outcome ? { kind: 'ran', record: run.ending.outcome } : { kind: 'running' }
    },
    close: async () => {
      listener?.close()
      for (const { watches } of known.values()) for (const watching of watches) watching.close()
      await passes.close()
      await scheduler.close()
    },
  }
}

/** A spec that cannot be read runs all the same: its log says what is wrong with it. */
function scheduleOf(spec: unknown): Schedule {
  const parsed = ScraperSpecSchema.safeParse(spec)
  const schedule = tryParseSchedule(parsed.data?.schedule ?? DEFAULT_SCRAPER_SCHEDULE)
  return parsed.success && schedule ? toSchedule(schedule) : everySchedule(BROKEN_PERIOD_MS)
}

function watch({ spec }: ScraperRow, families: ReadonlyMap<string, Family>, onChange: () => void): { close(): void }[] {
  const parsed = ScraperSpecSchema.safeParse(spec)
  if (!parsed.success) return []
  return sourcesOf(parsed.data, families).here.flatMap(
    ({ family, element }: { family: Family; element: ItemRules }) => {
      const watching = tryWatch(family, element, onChange)
      return watching ? [watching] : []
    },
  )
}

/** What cannot be read cannot be watched either; its run says so. */
function tryWatch(family: Family, element: ItemRules, onChange: () => void): { close(): void } | null {
  try {
    return family.watch?.(element, onChange) ?? null
  } catch {
    return null
  }
}
