// Specs of settings, as they are written: rules for forms, and JSON Schemas for editors and `/schemas/*`.
import { z } from 'zod'

import { LogBackendSpecSchema } from '../logs/index.ts'
import { RuleSpecSchema } from './ruleSpec.ts'
import { ScraperSpecSchema } from './scraperSpec.ts'
import { TeamSpecSchema } from './teamSpec.ts'
import { TopologySpecSchema } from './topologySpec.ts'

export {
  SCRAPER_FAMILIES,
  type ScraperFamily,
  type ScraperRetention,
  ScraperRetentionSchema,
  type ScraperSpec,
  ScraperSpecSchema,
  STALE_ITEMS_KEPT,
} from './scraperSpec.ts'
export { VARIABLE_NAME } from './common.ts'
export type { ExecElement } from './scrapers/exec.ts'
export { FILE_FORMATS, type FileElement, type FileFormat } from './scrapers/file.ts'
export type { HttpElement } from './scrapers/http.ts'
export type { ItemRules, ItemValue } from './scrapers/itemFields.ts'
export { findByJsonPath, type JsonPath, type JsonPathStep, tryParseJsonPath } from './scrapers/jsonPath.ts'
export type { SqlElement } from './scrapers/sql.ts'
export { RuleSpecSchema } from './ruleSpec.ts'
export { scheduleInForce } from './scheduleInForce.ts'
export { TeamSpecSchema } from './teamSpec.ts'
export {
  expressionsOf,
  hasRoot,
  type TopologyComponent,
  type TopologyLookup,
  type TopologyProperty,
  type TopologySpec,
  TopologySpecSchema,
  type TopologyTemplate,
} from './topologySpec.ts'

/** By table. */
export const SPEC_SCHEMAS: ReadonlyMap<string, z.ZodType> = new Map<string, z.ZodType>([
  ['config_scrapers', ScraperSpecSchema],
  ['incident_rules', RuleSpecSchema],
  ['logging_backends', LogBackendSpecSchema],
  ['teams', TeamSpecSchema],
  ['topologies', TopologySpecSchema],
])

/** JSON Schema (draft 2020-12) of what is written. */
export const toSpecJsonSchema = (schema: z.ZodType): Record<string, unknown> =>
  z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })

/** What keeps a spec of a table from being saved: `kubernetes.0.clusterName: This field is required`, or null. */
export function findSpecFault(table: string, spec: unknown): string | null {
  if (isTooDeep(spec, MAX_DEPTH)) return 'spec: is nested too deeply'
  const fault = SPEC_SCHEMAS.get(table)?.safeParse(spec).error?.issues[0]
  return fault ? `${fault.path.join('.') || 'spec'}: ${fault.message}` : null
}

/** Of lists and maps within one another: reading a thousand of them would need more than the stack. */
const MAX_DEPTH = 100

function isTooDeep(value: unknown, left: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  return left === 0 || Object.values(value).some((part) => isTooDeep(part, left - 1))
}
