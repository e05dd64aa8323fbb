// The past of an estate, through the same engine that reads its files: a run for every few days, each on a clock of its day.
import { type Clock, sleep } from '@watchroom/shared/kernel'

import { lookApart } from '../../../check-runner/lookApart.ts'
import type { Family } from '../../catalog/family.ts'
import { SCRAPE_JOB } from '../../catalog/recordRun.ts'
import { runScraper, type ScraperRow } from '../../catalog/run/runScraper.ts'
import { withResource } from '../../jobs/resourceRun.ts'
import type { BackendContext } from '../../server/context.ts'
import { DAY_MS } from './estateItems.ts'

export const PAST_DAYS = 30

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
  readonly stepDays: number
  /** The scraper as a run has it. */
  readonly toRow: (row: ScraperRow, isLast: boolean) => ScraperRow
  /** Stands where the family of files does, and tells what the files would have said. */
  readonly toFamily: (run: PastRun) => Family
}

interface PastTimes {
  readonly since: number
  readonly until: number
  readonly signal: AbortSignal
  /** How long to wait before the first run. No other run of the scraper begins meanwhile. */
  readonly quietMs: number
}

/** @returns whether it was made; not where someone else runs the scraper, or deleted it */
export async function runPast(
  deps: PastDeps,
  { scraperId, stepDays, toRow, toFamily }: EstatePast,
  { since, until, signal, quietMs }: PastTimes,
): Promise<boolean> {
  const made = await withResource(deps.pool, SCRAPE_JOB, scraperId, async (row) => {
    await sleep(deps.clock, quietMs, signal)
    let before = since
    for (let at = since + DAY_MS; before < until; at = Math.min(at + stepDays * DAY_MS, until)) {
      signal.throwIfAborted()
      const isLast = at === until
      const clock: Clock = { ...deps.clock, now: () => at }
      const { errors } = await runScraper(
        toRow(row, isLast),
        { scraper: row, clock, signal },
        { ...deps, families: new Map([['file', toFamily({ since, before, at, isLast })]]), lookUp: lookApart },
      )
      if (errors.length > 0) deps.logger.warn({ errors: errors.slice(0, 5) }, 'past of the estate is incomplete')
      before = at
    }
    return true
  })
  return made === true
}
