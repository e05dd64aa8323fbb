import { z } from 'zod'

import { duration, REQUIRED, required } from '../common.ts'
import { ITEM_FIELDS, ItemValueSchema } from './itemFields.ts'

const isGiven = (value: unknown): boolean => value !== undefined && (typeof value !== 'string' || value.trim() !== '')

/** Rows that a query of a PostgreSQL database returns, each a document whose members are its columns. */
export const SqlElementSchema = z.strictObject({
  ...ITEM_FIELDS,
  id: ItemValueSchema.optional().refine(isGiven, REQUIRED),
  type: ItemValueSchema.optional().refine(isGiven, REQUIRED),
  /** `connection://namespace/name`, or an address that begins with `postgres://`. */
  connection: required.max(2_000),
  /** One statement that reads. */
  query: required.max(100_000),
  timeout: duration.optional(),
})
export type SqlElement = z.output<typeof SqlElementSchema>
