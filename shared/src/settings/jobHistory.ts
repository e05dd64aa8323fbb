import { z } from 'zod'

import { isUuid } from '../kernel/index.ts'

/** What becomes of a job. `STOPPED` is said by older servers only; `STALE` ran when its program ended. */
export const JOB_STATUSES = ['RUNNING', 'SUCCESS', 'WARNING', 'FAILED', 'STOPPED', 'STALE', 'SKIPPED'] as const

/** Resource types that the job history is filtered by (third specification, section 9). */
export const JOB_RESOURCE_TYPES = ['canary', 'topology', 'config_scraper'] as const

const text = z.string().nullish()
const summary = z.record(z.string(), z.unknown()).nullish().catch(null)

/** What a job left behind. Errors may be of any shape. */
export const JobDetailsSchema = z
  .object({ errors: z.array(z.unknown()).nullish().catch(null), scrape_summary: summary, summary })
  .nullish()
  .catch(null)

/** A row of `job_histories`: internal work that was done once. */
export const JobHistorySchema = z.object({
  id: z.string(),
  name: z
    .string()
    .nullish()
    .transform((name) => name ?? ''),
  status: text,
  resource_type: text,
  resource_id: text,
  resource_name: text,
  agent: z.object({ id: z.string(), name: text }).nullish().catch(null),
  time_start: text,
  created_at: text,
  duration_millis: z.number().nullish(),
  success_count: z.number().nullish(),
  error_count: z.number().nullish(),
  details: JobDetailsSchema,
})
export type JobHistory = z.infer<typeof JobHistorySchema>

/** Where the resource of a job is shown, by its type. Some types have had more than one name. */
const PLACES: Readonly<Record<string, string>> = {
  canary: '/settings/canaries/',
  config_scraper: '/catalog/scrapers/',
  catalog_scraper: '/catalog/scrapers/',
  topology: '/settings/topologies/',
  components: '/topology/',
  config: '/catalog/',
  playbook: '/playbooks/',
  team: '/settings/teams/',
  incident_rule: '/settings/incident_rules/',
}

/** Null for work on no resource that has a page: the internal jobs of a program have the name of its machine. */
export function toJobPlace({
  resource_type: type,
  resource_id: id,
}: Pick<JobHistory, 'resource_type' | 'resource_id'>): string | null {
  if (!type || !id || !isUuid(id) || !Object.hasOwn(PLACES, type)) return null
  return `${PLACES[type]}${id}`
}

/** Texts of what went wrong. */
export const jobErrors = (details: JobHistory['details']): readonly string[] =>
  (details?.errors ?? []).map((error) => (typeof error === 'string' ? error : JSON.stringify(error)))
