// Scrapers as one part of the backend: which there are, when they run, and the log of their runs.
import { hostname } from 'node:os'

import { tryParseSchedule } from '@watchroom/shared/health/check-types'
import { NIL_UUID } from '@watchroom/shared/kernel'
import { type ItemRules, scheduleInForce, ScraperSpecSchema } from '@watchroom/shared/specs'

import { lookApart } from '../../check-runner/lookApart.ts'
import { everySchedule, type Schedule, toSchedule } from '../../check-runner/schedule.ts'
import { createResourceRuns, type ResourceRuns } from '../jobs/createResourceRuns.ts'
import type { BackendContext } from '../server/context.ts'
import type { Family } from './family.ts'
import { forgetDeleted } from './forgetDeleted.ts'
import { recordRun, type RunRecord, SCRAPE_JOB } from './recordRun.ts'
import { sourcesOf } from './run/readItems.ts'
import type { ScraperRow } from './run/runScraper.ts'

export type Scrapers = ResourceRuns<RunRecord>

/** At once: each holds documents in memory. */
const MAX_CONCURRENT = 2
const DEADLINE_MS = 15 * 60_000
const BROKEN_PERIOD_MS = 30 * 60_000

type Row = ScraperRow & { readonly last: Date | null }

/** Those of other agents are theirs to run. */
const ROWS = `select id, name, spec, (
    select max(time_start) from job_history
    where resource_type = '${SCRAPE_JOB.resourceType}' and resource_id = config_scrapers.id::text
      and name = '${SCRAPE_JOB.name}' and job_history.agent_id = '${NIL_UUID}') as last
  from config_scrapers where deleted_at is null and agent_id = '${NIL_UUID}' order by id`

export function createScrapers(context: BackendContext, families: ReadonlyMap<string, Family>): Scrapers {
  const { pool, vault, clock } = context
  const localProperties = context.options.properties ?? {}
  const logger = context.logger.child({ part: 'scrapers' })
  const deps = { pool, vault, clock, logger, families, lookUp: lookApart, hostname: hostname(), localProperties }
  return createResourceRuns<Row, RunRecord>(context, {
    part: 'scrapers',
    channel: 'watchroom_scrapers',
    maxConcurrent: MAX_CONCURRENT,
    deadlineMs: DEADLINE_MS,
    rows: ROWS,
    versionOf: ({ name, spec }) => [name, spec],
    scheduleOf: ({ spec }) => scheduleOf(spec),
    watch: (row, onChange) => watch(row, families, onChange),
    afterReading: () => forgetDeleted(pool, new Date(clock.now())),
    run: (id, signal) => recordRun(id, signal, deps),
  })
}

/** A spec that cannot be read runs all the same: its log says what is wrong with it. */
function scheduleOf(spec: unknown): Schedule {
  const parsed = ScraperSpecSchema.safeParse(spec)
  const schedule = tryParseSchedule(scheduleInForce('config_scrapers', { spec: parsed.data }) ?? '')
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
