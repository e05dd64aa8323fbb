// The past of an estate, through the same engine that reads its files: a run for every few days, each on a clock of its day. It goes on
// where a start before this one was cut short.
import { hostname } from 'node:os'

import { type Clock, sleep } from '@watchroom/shared/kernel'

import { lookApart } from '../../../check-runner/lookApart.ts'
import type { Family } from '../../catalog/family.ts'
import { recordOutcome, type RunRecord, SCRAPE_JOB } from '../../catalog/recordRun.ts'
import { runScraper, type ScraperRow } from '../../catalog/run/runScraper.ts'
import { type ResourceRow, withResource } from '../../jobs/resourceRun.ts'
import type { BackendContext } from '../../server/context.ts'
import { DAY_MS } from './estateItems.ts'

export const PAST_DAYS = 30
/** A database may be away for a moment. What fails again is left out: files that say nothing are worse than a day without changes. */
const ATTEMPTS = 3
/** In the details of a run: the moment whose estate it read. */
const AS_OF = 'as_of'

export type PastDeps = Pick<BackendContext, 'pool' | 'vault' | 'clock' | 'logger'>

interface PastRun {
  /** When the past begins, and when the run before this one was. */
  readonly since: number
  readonly before: number
  readonly at: number
  readonly isLast: boolean
}

export interface EstatePast {
  readonly scraperId: string
  /** From its beginning to the first run. */
  readonly firstDays: number
  /** From one run to the next. The last one is of its end. */
  readonly stepDays: number
  /** The scraper as a run has it. */
  readonly toRow: (row: ScraperRow, isLast: boolean) => ScraperRow
  /** Stands where the family of files does, and tells what the files would have said. */
  readonly toFamily: (run: PastRun) => Family
}

export interface PastTimes {
  readonly since: number
  readonly until: number
  readonly signal: AbortSignal
  /** How long to wait before the first run. No other run of the scraper begins meanwhile. */
  readonly quietMs: number
  /** What has to be there before the first run, as parents of items are. Nor does one begin meanwhile. */
  readonly after?: Promise<unknown>
  /** After a run, in durations of it: what it raised is dealt with, and nobody waits long for the database. */
  readonly rest: number
}

/** @returns whether it was made; not where someone else runs the scraper, or deleted it */
export async function runPast(deps: PastDeps, past: EstatePast, times: PastTimes): Promise<boolean> {
  const { pool, clock, logger } = deps
  const { scraperId } = past
  const { since, until, signal, quietMs, after, rest } = times
  const made = await withResource(pool, SCRAPE_JOB, scraperId, async (row) => {
    await sleep(clock, quietMs, signal)
    await after
    const moments = momentsOf(past, since, until)
    const asOf = await readAsOf(deps, scraperId)
    for (const [index, at] of moments.entries()) {
      if (at <= asOf) continue
      if (!(await isThere(deps, scraperId))) return false
      const startedAt = clock.monotonic()
      const before = moments[index - 1] ?? since
      const { scrapeSummary } = await runOnce(deps, past, row, { since, before, at, isLast: at === until }, times)
      const tookMs = clock.monotonic() - startedAt
      const changes = Object.values(scrapeSummary).reduce((sum, type) => sum + type.changes, 0)
      const durationMs = Math.round(tookMs)
      logger.info(
        { scraper: row.name, run: index + 1, runs: moments.length, changes, durationMs },
        'a part of the past of the estate is made',
      )
      await sleep(clock, tookMs * rest, signal)
    }
    return true
  })
  return made === true
}

function momentsOf({ firstDays, stepDays }: EstatePast, since: number, until: number): number[] {
  const moments: number[] = []
  for (let at = since + firstDays * DAY_MS; at < until - DAY_MS; at += stepDays * DAY_MS) moments.push(at)
  return [...moments, until]
}

async function runOnce(
  deps: PastDeps,
  { toRow, toFamily }: EstatePast,
  row: ResourceRow,
  run: PastRun,
  { signal, quietMs }: PastTimes,
): Promise<RunRecord> {
  // Also of its row: whoever asks when it ran last is told what its items tell.
  const clock: Clock = { ...deps.clock, now: () => run.at }
  const families = new Map([['file', toFamily(run)]])
  for (let attempt = 1; ; attempt++) {
    signal.throwIfAborted()
    const record = await recordOutcome(
      row,
      { pool: deps.pool, clock, hostname: hostname() },
      () =>
        runScraper(toRow(row, run.isLast), { scraper: row, clock, signal }, { ...deps, families, lookUp: lookApart }),
      { [AS_OF]: new Date(run.at).toISOString() },
    )
    signal.throwIfAborted()
    if (record.errors.length === 0) return record
    deps.logger.warn({ errors: record.errors.slice(0, 5), attempt }, 'past of the estate is incomplete')
    if (attempt === ATTEMPTS) return record
    await sleep(deps.clock, quietMs, signal)
  }
}

/** Of the last run that was whole. One that was cut short is made again: what it has written is not different from what it finds. */
async function readAsOf({ pool }: PastDeps, scraperId: string): Promise<number> {
  const { rows } = await pool.query<{ asOf: Date | null }>(
    `select max((details ->> '${AS_OF}')::timestamptz) as "asOf" from job_history
     where name = $1 and resource_type = $2 and resource_id = $3 and status = 'SUCCESS'`,
    [SCRAPE_JOB.name, SCRAPE_JOB.resourceType, scraperId],
  )
  return rows[0]?.asOf?.getTime() ?? -Infinity
}

async function isThere({ pool }: PastDeps, scraperId: string): Promise<boolean> {
  const { rowCount } = await pool.query('select from config_scrapers where id = $1 and deleted_at is null', [scraperId])
  return rowCount === 1
}
