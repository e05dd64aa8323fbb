import { z } from 'zod'

import { JobDetailsSchema } from './jobHistory.ts'
import type { SettingsTable } from './resources/index.ts'

/** Kinds of integrations, as the addresses call them, and the table of each. */
export const INTEGRATION_TABLES = {
  scrapers: 'config_scrapers',
  topologies: 'topologies',
  logging_backends: 'logging_backends',
} as const satisfies Record<string, SettingsTable>
export type IntegrationType = keyof typeof INTEGRATION_TABLES

export const isIntegrationType = (word: string): word is IntegrationType => Object.hasOwn(INTEGRATION_TABLES, word)

const text = z.string().nullish()

/** A row of `integrations_with_status`. */
export const IntegrationSchema = z.object({
  id: z.string(),
  name: z.string(),
  /** Of topologies; other servers than ours do not tell. */
  namespace: text,
  integration_type: z.string(),
  source: text,
  agent_id: text,
  agent: z.object({ id: z.string(), name: text }).nullish().catch(null),
  job_status: text,
  job_details: JobDetailsSchema,
  job_time_start: text,
  creator_name: text,
  created_at: text,
  updated_at: text,
})
export type Integration = z.infer<typeof IntegrationSchema>
