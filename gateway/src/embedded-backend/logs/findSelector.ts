// Which of a component's log selectors a question is about, and what it says to those that hold logs.
import type { Pool } from 'pg'
import { z } from 'zod'

import { Refusal } from '../../platform/http/refusal.ts'

/** What log backends are asked for: their routes decide by it. */
export interface LogTarget {
  readonly type: string
  readonly id: string
  readonly labels: Readonly<Record<string, string>>
}

const LabelsSchema = z.record(z.string(), z.coerce.string()).nullish().catch(null)
const SelectorsSchema = z
  .array(z.object({ name: z.string().catch(''), type: z.string().nullish().catch(null), labels: LabelsSchema }))
  .catch([])

/**
 * The names by which a component's logs are asked for, of its column. The first of several of one name answers for it, and the first
 * of all where none is named: one without a name behind others cannot be asked for.
 */
export function askableSelectors(column: unknown): {
  readonly names: readonly string[]
  readonly hasNameless: boolean
} {
  const selectors = SelectorsSchema.parse(column)
  const asked = selectors.filter(({ name }, index) => name !== '' || index === 0)
  return { names: [...new Set(asked.map(({ name }) => name))], hasNameless: asked.length < selectors.length }
}

interface ComponentRow {
  readonly external_id: string | null
  readonly type: string | null
  readonly log_selectors: unknown
}

/** @throws Refusal when there is no such component, or no such selector */
export async function findSelector(pool: Pick<Pool, 'query'>, id: string, name: string): Promise<LogTarget> {
  const { rows } = await pool.query<ComponentRow>(
    'select external_id, type, log_selectors from components where id = $1 and deleted_at is null',
    [id],
  )
  const [row] = rows
  if (!row) throw new Refusal(404, { error: 'record not found', message: `Failed to get component[id=${id}]` })
  const selectors = SelectorsSchema.parse(row.log_selectors)
  const selector = name === '' ? selectors[0] : selectors.find((each) => each.name === name)
  if (!selector) {
    const names = selectors.map((each) => each.name).join(', ') || 'none'
    throw new Refusal(400, { error: 'Log selector was not found', message: `available log selectors: ${names}` })
  }
  return {
    type: selector.type || (row.type ?? ''),
    id: row.external_id || id,
    labels: selector.labels ?? {},
  }
}
