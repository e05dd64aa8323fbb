import { SPEC_SCHEMAS, toSpecJsonSchema } from '@watchroom/shared/specs'

import type { JsonSchema } from '../../editor/contract.ts'

const made = new Map<string, JsonSchema>()

/** The identical object each time: the editor knows schemas by it. Undefined where anything may be written. */
export function specSchemaOf(table: string): JsonSchema | undefined {
  const schema = SPEC_SCHEMAS.get(table)
  if (schema === undefined) return undefined
  const known = made.get(table) ?? toSpecJsonSchema(schema)
  made.set(table, known)
  return known
}
