// What keeps the catalog from growing without end. What someone took for evidence stays, whatever its age.
import { NIL_UUID } from '@watchroom/shared/kernel'
import { type ScraperRetention, ScraperRetentionSchema, STALE_ITEMS_KEPT } from '@watchroom/shared/specs'
import { tryParseDuration } from '@watchroom/shared/time'

import { cronSchedule, everySchedule } from '../../check-runner/schedule.ts'
import { softDeletion } from '../catalog/softDeletion.ts'
import { cleanup } from './cleanup.ts'
import { deleteInBatches } from './deleteInBatches.ts'
import { AGE_REASON } from './itemAges.ts'
import { type Job, type JobContext, RETENTION } from './job.ts'
import { oldestChangeKept, oldestKept } from './properties.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

/** An item takes its changes and insights with it: some hundred each where it was busy. */
const ITEMS_PER_BATCH = 200
const STALE_PROPERTY = 'config.retention.stale_item_age'
const USUAL_STALE_AGE = '24h'
const STALE_REASON = 'its agent has not told of it any more'

interface ScraperRow {
  readonly id: string
  readonly name: string
  readonly retention: unknown
}

const SCRAPERS = `select id, name, spec -> 'retention' as retention from config_scrapers`

const hasRules = (of: 'changes' | 'types'): string => `jsonb_typeof(spec -> 'retention' -> '${of}') = 'array'`

const RULED = `change_type = $1 and config_id in (select id from config_items where scraper_id = $2)
  and not exists (select from evidences where evidences.config_change_id = config_changes.id)`

/** What nobody can read is reported, and the others go on. */
function readRetention({ report }: JobContext, scraper: ScraperRow): ScraperRetention {
  const retention = ScraperRetentionSchema.safeParse(scraper.retention)
  if (retention.success) return retention.data
  const [fault] = retention.error.issues
  report.failure(`scraper ${scraper.name}: retention.${fault?.path.join('.')}: ${fault?.message}`)
  return {}
}

/** Beyond the age that a rule names, and beyond the newest few of each item. */
async function applyChangeRules(context: JobContext, scraper: ScraperRow): Promise<void> {
  for (const { name, age, count } of readRetention(context, scraper).changes ?? []) {
    const ageMs = age === undefined ? null : tryParseDuration(age)
    if (ageMs !== null) {
      await deleteInBatches(context, {
        table: 'config_changes',
        condition: `${RULED} and created_at < $3`,
        values: [name, scraper.id, new Date(context.now - ageMs)],
      })
    }
    if (count !== undefined) {
      await deleteInBatches(context, {
        table: 'config_changes',
        condition: `${RULED} and id in (
          select id from (
            select id, row_number() over (partition by config_id order by created_at desc, id desc) as place
            from config_changes where ${RULED}) as ranked
          where place > $3)`,
        values: [name, scraper.id, count],
      })
    }
  }
}

/** When an item of a type was deleted that goes for good now. */
interface TypeRule {
  readonly scraper_id: string
  readonly type: string
  readonly before: Date
}

/**
 * Deletes items that are older than their scraper keeps them, softly.
 *
 * @returns how long those that are deleted stay, where the scraper says so
 */
async function applyTypeRules(context: JobContext, scraper: ScraperRow): Promise<TypeRule[]> {
  const { now, pool, report } = context
  const before = (age: string | undefined): Date | null => {
    const ageMs = age === undefined ? null : tryParseDuration(age)
    return ageMs === null ? null : new Date(now - ageMs)
  }
  const rules: TypeRule[] = []
  for (const { name: type, createdAge, updatedAge, deletedAge } of readRetention(context, scraper).types ?? []) {
    const { rows } = await pool.query<{ count: number }>(
      softDeletion('scraper_id = $3 and type = $4 and (created_at < $5 or coalesce(updated_at, created_at) < $6)'),
      [new Date(now), AGE_REASON, scraper.id, type, before(createdAge), before(updatedAge)],
    )
    report.success(rows[0]?.count ?? 0)
    const deletedBefore = before(deletedAge)
    if (deletedBefore !== null) rules.push({ scraper_id: scraper.id, type, before: deletedBefore })
  }
  return rules
}

async function deleteStaleItems({ pool, now, report }: JobContext, scraper: ScraperRow, usual: Date): Promise<void> {
  const retention = ScraperRetentionSchema.safeParse(scraper.retention ?? {})
  const age = retention.data?.staleItemAge
  if (age === STALE_ITEMS_KEPT) return
  const ageMs = age === undefined ? null : tryParseDuration(age)
  const { rows } = await pool.query<{ count: number }>(
    softDeletion('scraper_id = $3 and coalesce(last_scraped_time, updated_at, created_at) < $4'),
    [new Date(now), STALE_REASON, scraper.id, ageMs === null ? usual : new Date(now - ageMs)],
  )
  report.success(rows[0]?.count ?? 0)
}

export const CATALOG_JOBS: readonly Job[] = [
  cleanup({
    name: 'CleanupConfigAnalysis',
    resourceType: 'config_scraper',
    schedule: everySchedule(DAY_MS),
    retention: RETENTION.balanced,
    maxAge: ['config.analysis.retention.period', '60d'],
    rows: [
      {
        table: 'config_analysis',
        condition: `last_observed < $1
          and not exists (select from evidences where evidences.config_analysis_id = config_analysis.id)`,
      },
    ],
  }),
  cleanup({
    name: 'CleanupConfigChanges',
    resourceType: 'config_scraper',
    schedule: everySchedule(DAY_MS),
    retention: RETENTION.balanced,
    maxAge: oldestChangeKept,
    rows: [
      {
        table: 'config_changes',
        condition: `created_at < $1
          and not exists (select from evidences where evidences.config_change_id = config_changes.id)`,
      },
    ],
  }),
  {
    name: 'CleanupConfigItems',
    resourceType: 'config_scraper',
    schedule: cronSchedule('0 2 * * *'),
    deadlineMs: HOUR_MS,
    retention: RETENTION.balanced,
    run: async (context) => {
      const { pool, signal, report } = context
      const before = await oldestKept(context, 'config.retention.period', '7d')
      const { rows: scrapers } = await pool.query<ScraperRow>(`${SCRAPERS} where ${hasRules('types')} order by id`)
      const rules: TypeRule[] = []
      for (const scraper of scrapers) rules.push(...(await applyTypeRules(context, scraper)))
      for (;;) {
        signal.throwIfAborted()
        const { rows } = await pool.query<{ deleted: number }>(
          'select watchroom_internal.delete_old_config_items($1, $2, $3) as deleted',
          [before, ITEMS_PER_BATCH, JSON.stringify(rules)],
        )
        const deleted = rows[0]?.deleted ?? 0
        report.success(deleted)
        if (deleted < ITEMS_PER_BATCH) return
      }
    },
  },
  {
    name: 'SoftDeleteAgentStaleItems',
    resourceType: 'config_scraper',
    schedule: cronSchedule('0 3 * * *'),
    deadlineMs: HOUR_MS,
    retention: RETENTION.balanced,
    // Those that are run here delete what a complete run does not find.
    run: async (context) => {
      const usual = await oldestKept(context, STALE_PROPERTY, USUAL_STALE_AGE)
      const { rows } = await context.pool.query<ScraperRow>(`${SCRAPERS} where agent_id <> '${NIL_UUID}' order by id`)
      for (const scraper of rows) {
        context.signal.throwIfAborted()
        await deleteStaleItems(context, scraper, usual)
      }
    },
  },
  {
    name: 'Process Change Retention Rules',
    resourceType: 'config_scraper',
    schedule: everySchedule(HOUR_MS),
    deadlineMs: 30 * MINUTE_MS,
    retention: RETENTION.balanced,
    run: async (context) => {
      const { rows } = await context.pool.query<ScraperRow>(`${SCRAPERS} where ${hasRules('changes')} order by id`)
      for (const scraper of rows) await applyChangeRules(context, scraper)
    },
  },
]
