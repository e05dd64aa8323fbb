// A run of a scraper with its row in the job history.
import { ADVISORY_LOCKS } from '../../platform/database/advisoryLocks.ts'
import { RETENTION } from '../jobs/job.ts'
import type { JobStatus } from '../jobs/jobHistory.ts'
import { recordResourceRun, type ResourceRow, withResource } from '../jobs/resourceRun.ts'
import type { ReadContext } from './family.ts'
import { type RunDeps, type RunOutcome, runScraper } from './run/runScraper.ts'
import type { TypeSummary } from './run/summary.ts'

export const SCRAPE_JOB = {
  name: 'Scrape',
  resourceType: 'config_scraper',
  table: 'config_scrapers',
  lock: ADVISORY_LOCKS.scrape,
  retention: RETENTION.high,
} as const

export interface RunRecord {
  readonly status: JobStatus
  readonly errors: readonly string[]
  readonly scrapeSummary: Readonly<Record<string, TypeSummary>>
}

export interface RecordDeps extends RunDeps {
  readonly clock: ReadContext['clock']
  readonly hostname: string
}

/** @returns null when another backend runs it, or it is not there any more */
export const recordRun = (id: string, signal: AbortSignal, deps: RecordDeps): Promise<RunRecord | null> =>
  withResource(deps.pool, SCRAPE_JOB, id, (row) =>
    recordOutcome(row, deps, () => runScraper(row, { scraper: row, clock: deps.clock, signal }, deps)),
  )

/** @param details what its row holds besides what was found */
export async function recordOutcome(
  row: ResourceRow,
  deps: Pick<RecordDeps, 'pool' | 'clock' | 'hostname'>,
  run: () => Promise<RunOutcome>,
  details: Readonly<Record<string, unknown>> = {},
): Promise<RunRecord> {
  const { status, errors, outcome } = await recordResourceRun(SCRAPE_JOB, row, deps, async () => {
    const { errors, summary, isSkipped } = await run()
    const byType = Object.fromEntries([...summary.byType].toSorted(([a], [b]) => (a < b ? -1 : 1)))
    return { successes: summary.total(), errors, isSkipped, details: { ...details, scrape_summary: byType } }
  })
  return { status, errors, scrapeSummary: outcome.details.scrape_summary }
}
