import { z } from 'zod'

import { tryParseSchedule } from '../health/checkTypes/index.ts'
import { tryParseDuration } from '../time/index.ts'
import { count, duration, REQUIRED, required } from './common.ts'
import { ExecElementSchema } from './scrapers/exec.ts'
import { FileElementSchema } from './scrapers/file.ts'
import { HttpElementSchema } from './scrapers/http.ts'
import { ItemTextsSchema } from './scrapers/itemFields.ts'
import { SelfElementSchema } from './scrapers/self.ts'
import { SqlElementSchema } from './scrapers/sql.ts'

/** In place of an age: items stay, however long ago they were last reported. */
export const STALE_ITEMS_KEPT = 'keep'

/** What keeps the changes and items of a scraper from growing without end. */
export const ScraperRetentionSchema = z.strictObject({
  /** By type of change: how old one may become, and how many of an item stay. */
  changes: z.array(z.strictObject({ name: required, age: duration.optional(), count: count.optional() })).optional(),
  /** When an agent's item is deleted after the agent has stopped reporting it. */
  staleItemAge: z
    .string()
    .refine(
      (text) => text === STALE_ITEMS_KEPT || tryParseDuration(text) !== null,
      'Must be keep, or a duration such as 30m, 12h or 7d',
    )
    .optional(),
  /** By type of item: how long after it came and after it changed last it stays, and once it is deleted. */
  types: z
    .array(
      z.strictObject({
        name: required,
        createdAge: duration.optional(),
        updatedAge: duration.optional(),
        deletedAge: duration.optional(),
      }),
    )
    .optional(),
})

export type ScraperRetention = z.output<typeof ScraperRetentionSchema>

const texts = z.array(z.string())
const text = z.string()

/** Families of scrapers: what an element of each must and may have. Those that run elsewhere keep what is not named here. */
export const SCRAPER_FAMILIES = {
  kubernetes: z.looseObject({
    clusterName: required,
    kubeconfig: z.unknown().optional(),
    watch: z.array(z.looseObject({})).optional(),
    exclusions: z.unknown().optional(),
    namespace: text.optional(),
    scope: text.optional(),
    since: text.optional(),
    selector: text.optional(),
    fieldSelector: text.optional(),
    maxInFlight: count.optional().meta({ default: 64 }),
  }),
  azure: z.looseObject({ subscriptionID: text.optional(), organisation: text.optional(), tenantID: text.optional() }),
  kubernetesFile: z.looseObject({ selector: z.looseObject({}).optional(), container: text.optional() }),
  sql: SqlElementSchema,
  trivy: z.looseObject({ version: text.optional(), scanners: texts.optional(), severity: texts.optional() }),
  aws: z.looseObject({ region: texts.optional(), connection: text.optional(), compliance: z.boolean().optional() }),
  file: FileElementSchema,
  githubActions: z.looseObject({ owner: required, repository: required, workflows: texts.optional() }),
  http: HttpElementSchema,
  exec: ExecElementSchema,
  self: SelfElementSchema,
  azureDevops: z.looseObject({
    organization: text.optional(),
    projects: texts.optional(),
    pipelines: texts.optional(),
  }),
} as const
export type ScraperFamily = keyof typeof SCRAPER_FAMILIES

const families = Object.fromEntries(
  Object.entries(SCRAPER_FAMILIES).map(([name, element]) => [name, z.array(element).optional()]),
) as { [Name in ScraperFamily]: z.ZodOptional<z.ZodArray<(typeof SCRAPER_FAMILIES)[Name]>> }

export const DEFAULT_SCRAPER_SCHEDULE = '@every 30m'

const schedule = z
  .string()
  .max(100)
  .refine((words) => tryParseSchedule(words) !== null, 'Must be a cron schedule, @daily and the like, or @every 30m')

/** Third specification: scraper spec families, each a list. */
export const ScraperSpecSchema = z
  .strictObject({
    ...families,
    /** Scrapers of other programs: kept as they are. */
    custom: z.unknown().optional(),
    schedule: schedule.optional().meta({ default: DEFAULT_SCRAPER_SCHEDULE }),
    /** Of all its items. */
    labels: ItemTextsSchema.optional(),
    tags: ItemTextsSchema.optional(),
    retention: ScraperRetentionSchema.optional(),
  })
  // What aws finds it is asked for by schedule alone.
  .refine((spec) => !spec.aws?.length || Boolean(spec.schedule), { message: REQUIRED, path: ['schedule'] })
export type ScraperSpec = z.output<typeof ScraperSpecSchema>
