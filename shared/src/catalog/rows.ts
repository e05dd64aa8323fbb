// Rows of the catalog as backends answer them (backend reference 5.8 to 5.11 and 7). What is not read is dropped; a field that
// cannot be read is absent, so that one odd item never hides the others.
import { z } from 'zod'

import { ownValue } from '../kernel/index.ts'
import { cost, count, text } from './rowFields.ts'

/** Labels and tags. What is no text is written as one, so that it can be shown and filtered. */
const TagsSchema = z
  .record(z.string(), z.unknown())
  .transform((tags): Record<string, string> => {
    const known = Object.entries(tags).filter(([, value]) => value !== null && value !== undefined)
    return Object.fromEntries(
      known.map(([key, value]) => [key, typeof value === 'string' ? value : JSON.stringify(value)]),
    )
  })
  .nullish()
  .catch(null)

const costs = { cost_per_minute: cost, cost_total_1d: cost, cost_total_7d: cost, cost_total_30d: cost }

const ChangeTotalsSchema = z
  .array(z.object({ change_type: text, severity: text, total: count }))
  .nullish()
  .catch(null)

const OpenInsightsSchema = z
  .array(z.object({ analyzer: text, analysis_type: text, severity: text }))
  .nullish()
  .catch(null)

const agent = z.object({ id: z.string(), name: text }).nullish().catch(null)

/** What links to an item need of it. */
export const ConfigNameSchema = z.object({ id: z.string(), name: text, type: text, config_class: text })

/** A row of `configs` as the list shows it. */
export const ConfigSchema = z.object({
  ...ConfigNameSchema.shape,
  type: z.string().catch(''),
  status: text,
  health: text,
  labels: TagsSchema,
  tags: TagsSchema,
  created_at: text,
  updated_at: text,
  deleted_at: text,
  ...costs,
  /** By type and severity, of all time. */
  changes: ChangeTotalsSchema,
  /** Those that are open. */
  analysis: OpenInsightsSchema,
  agent,
})
export type Config = z.infer<typeof ConfigSchema>

/** What `select` asks `configs` for, so that its rows are `ConfigSchema`'s. */
export const CONFIG_SELECT = [
  ...Object.keys(ConfigSchema.shape).filter((key) => key !== 'agent'),
  'agent:agents(id,name)',
].join()

/** What the tabs of an item count. */
const ConfigCountsSchema = z.object({
  relationships: count,
  analysis: count,
  changes: count,
  playbook_runs: count,
  checks: count,
})
export type ConfigCounts = z.infer<typeof ConfigCountsSchema>

const PropertySchema = z.looseObject({
  name: text,
  namespace: text,
  text,
  value: z.union([z.string(), z.number()]).nullish().catch(null),
  headline: z.boolean().nullish().catch(null),
})
export type ConfigProperty = z.infer<typeof PropertySchema>

/** A row of `config_detail` without its document. */
export const ConfigDetailSchema = z.object({
  ...ConfigNameSchema.shape,
  type: z.string().catch(''),
  status: text,
  health: text,
  description: text,
  source: text,
  external_id: z.array(z.string()).nullish().catch(null),
  labels: TagsSchema,
  tags: TagsSchema,
  properties: z.array(PropertySchema).nullish().catch(null),
  parent_id: text,
  /** Ids from the root to this item, joined by dots. */
  path: text,
  created_at: text,
  updated_at: text,
  deleted_at: text,
  delete_reason: text,
  last_scraped_time: text,
  agent_id: text,
  ...costs,
  summary: ConfigCountsSchema.nullish().catch(null),
  components: z
    .array(z.object({ id: z.string(), name: text, icon: text }))
    .nullish()
    .catch(null),
  config_scrapers: z.object({ id: z.string(), name: text }).nullish().catch(null),
  agent,
})
export type ConfigDetail = z.infer<typeof ConfigDetailSchema>

/** What `select` asks `config_detail` for, so that its rows are `ConfigDetailSchema`'s. */
export const CONFIG_DETAIL_SELECT = [
  ...Object.keys(ConfigDetailSchema.shape).filter((key) => key !== 'agent' && key !== 'config_scrapers'),
  'config_scrapers(id,name)',
  'agent:agents(id,name)',
].join()

/** The document as it comes: anything that JSON can say. */
export const ConfigContentSchema = z.object({ id: z.string(), config: z.unknown().optional() })

/** A row of `POST /catalog/changes`. */
export const ConfigChangeSchema = z.object({
  id: z.string(),
  config_id: z.string(),
  agent_id: text,
  external_change_id: text,
  name: text,
  type: text,
  tags: TagsSchema,
  change_type: text,
  severity: text,
  source: text,
  summary: text,
  created_at: text,
  created_by: text,
  external_created_by: text,
  count: z.number().nullish().catch(null),
  first_observed: text,
})
export type ConfigChange = z.infer<typeof ConfigChangeSchema>

/** The answer of `POST /catalog/changes`: each part is left out when it is empty. */
export const ConfigChangesSchema = z.object({
  /** Of this page alone, by type of change. */
  summary: z.record(z.string(), z.number()).optional(),
  total: z.number().default(0),
  changes: z.array(ConfigChangeSchema).default([]),
})
export type ConfigChanges = z.infer<typeof ConfigChangesSchema>

/** A row of `config_changes` with what changed. */
export const ConfigChangeDetailSchema = z.object({
  id: z.string(),
  config_id: z.string(),
  change_type: text,
  severity: text,
  source: text,
  summary: text,
  created_at: text,
  first_observed: text,
  count: z.number().nullish().catch(null),
  created_by: text,
  external_created_by: text,
  /** Unified. */
  diff: text,
  details: z.unknown().optional(),
  patches: z.unknown().optional(),
  config: ConfigNameSchema.nullish().catch(null),
})
export type ConfigChangeDetail = z.infer<typeof ConfigChangeDetailSchema>

/** A row of `config_analysis_items`, or of `config_analysis`, as lists show it. */
export const ConfigInsightSchema = z.object({
  id: z.string(),
  analyzer: text,
  analysis_type: text,
  severity: text,
  status: text,
  source: text,
  summary: text,
  /** May hold HTML. */
  message: text,
  first_observed: text,
  last_observed: text,
  config: ConfigNameSchema.nullish().catch(null),
})
export type ConfigInsight = z.infer<typeof ConfigInsightSchema>

/** A row of `rpc/related_configs_recursive`. */
export const RelatedConfigSchema = z.object({
  id: z.string(),
  name: text,
  type: z.string().catch(''),
  /** Where the edges of this item lead. */
  related_ids: z.array(z.string()).nullish().catch(null),
  status: text,
  health: text,
  tags: TagsSchema,
  changes: ChangeTotalsSchema,
  analysis: OpenInsightsSchema,
  created_at: text,
  updated_at: text,
  deleted_at: text,
  ...costs,
  agent_id: text,
  path: text,
})
export type RelatedConfig = z.infer<typeof RelatedConfigSchema>

const figure = z.number().nullish().catch(null)

/** A row of `config_scrapers_with_status` as the list shows it. */
export const ScraperSchema = z.object({
  id: z.string(),
  name: text,
  description: text,
  source: text,
  agent,
  created_at: text,
  updated_at: text,
  /** As it is written in the spec. */
  schedule: text,
  job_status: text,
  job_time_start: text,
  job_time_end: text,
  job_last_failed: text,
  job_duration_millis: figure,
  job_success_count: figure,
  job_error_count: figure,
  /** By type of item what the last job did with how many. */
  scrape_summary: z.record(z.string(), z.unknown()).nullish().catch(null),
})
export type Scraper = z.infer<typeof ScraperSchema>

/** What `select` asks for, so that rows are `ScraperSchema`'s: of specs and jobs only what is shown. */
const SCRAPER_PARTS: Readonly<Record<string, string>> = {
  schedule: 'schedule:spec->>schedule',
  scrape_summary: 'scrape_summary:job_details->scrape_summary',
}
export const SCRAPER_SELECT = Object.keys(ScraperSchema.shape)
  .map((key) => ownValue(SCRAPER_PARTS, key) ?? key)
  .join()
