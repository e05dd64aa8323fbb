import { z } from 'zod'

import { isUuid } from '../kernel/index.ts'
import type { FeatureArea } from './featureAreas.ts'

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
const PLACES: Readonly<Record<string, { readonly path: string; readonly area: FeatureArea }>> = {
  canary: { path: '/settings/canaries/', area: 'settings.health' },
  config_scraper: { path: '/catalog/scrapers/', area: 'settings.config_scraper' },
  catalog_scraper: { path: '/catalog/scrapers/', area: 'settings.config_scraper' },
  topology: { path: '/settings/topologies/', area: 'settings.topology' },
  components: { path: '/topology/', area: 'topology' },
  config: { path: '/catalog/', area: 'config' },
  playbook: { path: '/playbooks/', area: 'playbooks' },
  team: { path: '/settings/teams/', area: 'settings.teams' },
  incident_rule: { path: '/settings/incident_rules/', area: 'settings.rules' },
}

/** Null for work on no resource that has a page: the internal jobs of a program have the name of its machine. */
export function toJobPlace({
  resource_type: type,
  resource_id: id,
}: Pick<JobHistory, 'resource_type' | 'resource_id'>): { readonly to: string; readonly area: FeatureArea } | null {
  const place = type && Object.hasOwn(PLACES, type) ? PLACES[type] : undefined
  return place && id && isUuid(id) ? { to: `${place.path}${id}`, area: place.area } : null
}

/** Texts of what went wrong. */
export const jobErrors = (details: JobHistory['details']): readonly string[] =>
  (details?.errors ?? []).map((error) => (typeof error === 'string' ? error : JSON.stringify(error)))
