import { z } from 'zod'

import type { PolicyObject, Resource } from '../access/index.ts'
import { ownValue } from '../kernel/index.ts'
import type { FeatureArea } from './featureAreas.ts'
import { JobDetailsSchema } from './jobHistory.ts'

/** Parts of a settings form, in its order. `name` and `spec` are of all of them. */
export type SettingsField = 'namespace' | 'icon' | 'labels' | 'schedule' | 'source'

/** A table of settings: its list, its form, its rights and its live topic derive from this (docs/how-to/add-a-resource.md). */
export interface SettingsResource {
  /** Of the database API. */
  readonly table: string
  /** Where its list is. Default: `/settings/{table}`. */
  readonly path?: string
  /** Whose rights open it; the same as in TABLE_ACCESS. */
  readonly resource: Resource
  /** Of another backend's policy, where it is not that of the resource. */
  readonly object?: PolicyObject
  readonly area: FeatureArea
  /** Of its list. */
  readonly title: string
  /** What one row is, and several are, within a sentence. */
  readonly noun: string
  readonly nouns: string
  readonly fields: readonly SettingsField[]
  /** View with the last job of each row, where jobs run them; the list shows it. */
  readonly statusView?: string
  /** Rows may belong to an agent. */
  readonly hasAgent?: true
  /** As the job history calls its rows, which have it in a tab. */
  readonly jobs?: string
  /** Its form is another feature's, and its view does not say when a row was saved. */
  readonly isListAlone?: true
  /** Columns one of which moves with every save. Default: `updated_at`. */
  readonly version?: readonly (keyof SettingsRow)[]
  /** Columns of `statusView` that move without a save, and that lists show. */
  readonly signs?: readonly string[]
}

const text = z.string().nullish()

/** Other consoles write the labels of some tables as a text. */
const labels = z.preprocess((value) => {
  if (typeof value !== 'string') return value
  try {
    return JSON.parse(value) as unknown
  } catch {
    return null
  }
}, z.record(z.string(), z.unknown()).nullish().catch(null))

/** A row of any settings table, as far as lists and forms show it. Secrets of the spec are `***`. */
export const SettingsRowSchema = z.object({
  id: z.string(),
  name: z.string(),
  namespace: text,
  icon: text,
  labels,
  schedule: text,
  /** Of canaries: seconds or a duration, where they have no schedule. */
  interval: z
    .union([z.string(), z.number().transform(String)])
    .nullish()
    .catch(null),
  /** Lists are read without it. */
  spec: z.record(z.string(), z.unknown()).nullish().catch(null),
  source: text,
  agent_id: text,
  agent: z.object({ id: z.string(), name: text }).nullish().catch(null),
  created_by: z.object({ id: z.string(), name: text }).nullish().catch(null),
  created_at: text,
  updated_at: text,
  deleted_at: text,
  last_runtime: text,
  job_status: text,
  job_time_start: text,
  job_last_failed: text,
  /** What lists show of the last job. */
  job_details: JobDetailsSchema,
})
export type SettingsRow = z.infer<typeof SettingsRowSchema>

/** Where the list of a table is; its rows are below. */
export const placeOf = ({ path, table }: Pick<SettingsResource, 'path' | 'table'>): string =>
  path ?? `/settings/${table}`

/** What tells two versions of a row apart. */
export const versionColumns = ({ version }: Pick<SettingsResource, 'version'>): readonly (keyof SettingsRow)[] =>
  version ?? ['updated_at']

/** Text that is equal for two rows exactly when their version columns are; a missing column counts as null. */
export const versionOf = (
  definition: Pick<SettingsResource, 'version'>,
  row: Readonly<Record<string, unknown>>,
): string => JSON.stringify(versionColumns(definition).map((column) => ownValue(row, column) ?? null))
