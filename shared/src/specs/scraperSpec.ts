import { z } from 'zod'

import { count, duration, REQUIRED, required, schedule } from './common.ts'

/** What keeps the changes and items of a scraper from growing without end. */
const RetentionSchema = z.looseObject({
  changes: z.array(z.looseObject({ name: required, age: duration.optional(), count: count.optional() })).optional(),
  types: z
    .array(
      z.looseObject({
        name: required,
        createdAge: duration.optional(),
        updatedAge: duration.optional(),
        deletedAge: duration.optional(),
      }),
    )
    .optional(),
})

const texts = z.array(z.string())
const text = z.string()

/** Families of scrapers: what an element of each must and may have. What is not named here is kept. */
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
  sql: z.looseObject({ type: required, id: required, connection: required, query: required }),
  trivy: z.looseObject({ version: text.optional(), scanners: texts.optional(), severity: texts.optional() }),
  aws: z.looseObject({ region: texts.optional(), connection: text.optional(), compliance: z.boolean().optional() }),
  file: z.looseObject({ format: required, icon: required, paths: texts.optional(), url: text.optional() }),
  githubActions: z.looseObject({ owner: required, repository: required, workflows: texts.optional() }),
  http: z.looseObject({ url: text.optional(), connection: text.optional(), method: text.optional() }),
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

/** Third specification: scraper spec families, each a list. Other keys are custom scrapers, and kept as they are. */
export const ScraperSpecSchema = z
  .looseObject({
    ...families,
    schedule: schedule.optional().meta({ default: '@every 30m' }),
    retention: RetentionSchema.optional(),
  })
  // What aws finds it is asked for by schedule alone.
  .refine((spec) => !spec.aws?.length || Boolean(spec.schedule), { message: REQUIRED, path: ['schedule'] })
