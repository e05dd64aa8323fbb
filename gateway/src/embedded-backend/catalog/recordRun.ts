import { RETENTION } from '../jobs/job.ts'
import { insertRunning, type JobStatus, toStatus, writeOutcome } from '../jobs/jobHistory.ts'
// A run with its row in the job history. Only one backend runs a scraper at a time, by a lock that ends with its process.
import type { ReadContext } from './family.ts'
import { type RunDeps, runScraper, type ScraperRow } from './run/runScraper.ts'
import type { TypeSummary } from './run/summary.ts'

export const SCRAPE_JOB = { name: 'Scrape', resourceType: 'config_scraper' } as const

export interface RunRecord {
  readonly status: JobStatus
  readonly errors: readonly string[]
  readonly scrapeSummary: Readonly<Record<string, TypeSummary>>
}

export interface RecordDeps extends RunDeps {
  readonly clock: ReadContext['clock']
  readonly hostname: string
}

const LOCK = 7_461_371
const MAX_ERROR_CHARACTERS = 1_000

/** @returns null when another backend runs it, or it is not there any more */
export async function recordRun(id: string, signal: AbortSignal, deps: RecordDeps): Promise<RunRecord | null> {
  return withScraper(deps.pool, id, (row) => record(row, signal, deps))
}

/** Does `work` while nobody else runs the scraper. @returns null when somebody does, or it is not there any more */
export async function withScraper<Answer>(
  pool: RunDeps['pool'],
  id: string,
  work: (row: ScraperRow) => Promise<Answer>,
): Promise<Answer | null> {
  const client = await pool.connect()
  let isFree = false
  try {
    const { rows } = await client.query<{ isOurs: boolean }>(
      `select pg_try_advisory_lock(${LOCK}, hashtext($1)) as "isOurs"`,
      [id],
    )
    isFree = rows[0]?.isOurs === false
    if (rows[0]?.isOurs !== true) return null
    const { rows: scrapers } = await pool.query<ScraperRow>(
      'select id, name, spec from config_scrapers where id = $1 and deleted_at is null',
      [id],
    )
    const answer = scrapers[0] ? await work(scrapers[0]) : null
    // The next run may follow at once, and must not find this one's lock.
    await client.query(`select pg_advisory_unlock(${LOCK}, hashtext($1))`, [id])
    isFree = true
    return answer
  } finally {
    // Of a run that failed the lock ends with the connection.
    client.release(!isFree)
  }
}

async function record(row: ScraperRow, signal: AbortSignal, deps: RecordDeps): Promise<RunRecord> {
  const { pool, clock, hostname } = deps
  const run = { ...SCRAPE_JOB, resourceId: row.id, hostname, startedAt: clock.now() }
  const startedAt = clock.monotonic()
  await endLeft(deps, row.id)
  const jobId = await insertRunning(pool, run)
  const { errors, summary, isSkipped } = await runScraper(row, { scraper: row, clock, signal }, deps)
  const scrapeSummary = Object.fromEntries([...summary.byType].toSorted(([a], [b]) => (a < b ? -1 : 1)))
  const outcome = {
    successes: summary.total(),
    errors: errors.map((error) => error.slice(0, MAX_ERROR_CHARACTERS)),
    durationMs: clock.monotonic() - startedAt,
    endedAt: clock.now(),
    isSkipped,
    details: { scrape_summary: scrapeSummary },
  }
  await writeOutcome(pool, { id: jobId, run, outcome, retention: RETENTION.high })
  return { status: toStatus(outcome), errors: outcome.errors, scrapeSummary }
}

/** Whoever ran it before has ended without a word: we hold its lock. */
async function endLeft({ pool }: Pick<RecordDeps, 'pool'>, id: string): Promise<void> {
  await pool.query(
    `update job_history set status = 'STALE', time_end = now()
     where resource_type = $1 and resource_id = $2 and name = $3 and status = 'RUNNING'`,
    [SCRAPE_JOB.resourceType, id, SCRAPE_JOB.name],
  )
}
