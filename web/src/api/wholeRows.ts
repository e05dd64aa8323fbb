import { z } from 'zod'

import { request } from './request.ts'
import { equals } from './tables.ts'

// Rows that are only ever added or removed: links between other rows, and what is deleted for good.
// `tables.ts` writes everything else.

export const insertRows = (table: string, rows: readonly Readonly<Record<string, string>>[]): Promise<unknown> =>
  request(`/api/db/${table}`, { method: 'POST', body: rows, schema: z.unknown() })

/** @param key of exactly one row */
export const removeRow = (table: string, key: Readonly<Record<string, string>>): Promise<unknown> => {
  const conditions = Object.entries(key).map(([column, value]) => equals(column, value))
  return request(`/api/db/${table}?${conditions.join('&')}`, { method: 'DELETE', schema: z.unknown() })
}
