import { z } from 'zod'

import { request } from './request.ts'
import { equals } from './tables.ts'

// Rows that come and go whole, with nothing to be changed or lost between: links between others, and what is removed for good.
// `tables.ts` writes all others.

export const insertRows = (table: string, rows: readonly Readonly<Record<string, string>>[]): Promise<unknown> =>
  request(`/api/db/${table}`, { method: 'POST', body: rows, schema: z.unknown() })

/** @param key of exactly one row */
export const removeRow = (table: string, key: Readonly<Record<string, string>>): Promise<unknown> => {
  const conditions = Object.entries(key).map(([column, value]) => equals(column, value))
  return request(`/api/db/${table}?${conditions.join('&')}`, { method: 'DELETE', schema: z.unknown() })
}
