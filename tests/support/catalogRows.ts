// Rows of the catalog in a real database: one at a time with what a test cares about, or thousands at once.
import { randomUUID } from 'node:crypto'

import type { Pool } from 'pg'

type Values = Readonly<Record<string, unknown>>

/** What PostgreSQL fills in where nothing is said. */
const DEFAULTS = {
  config_items: { type: 'Test::Item', config_class: 'Item' },
  config_changes: { change_type: 'diff', severity: 'info', source: 'test' },
  config_analysis: { analyzer: 'test', analysis_type: 'security', severity: 'medium', status: 'open' },
} as const

/** Rows that all name the same columns. */
async function insert(pool: Pick<Pool, 'query'>, table: string, rows: readonly Values[]): Promise<void> {
  const columns = Object.keys(rows[0] ?? {}).join()
  if (columns === '') return
  const text = `insert into ${table} (${columns}) select ${columns} from jsonb_populate_recordset(null::${table}, $1)`
  await pool.query(text, [JSON.stringify(rows)])
}

export interface CatalogRows {
  /** An item of the type `Test::Item` unless the values say otherwise. @returns its id */
  item(name: string, values?: Values): Promise<string>
  /** @returns their ids in order */
  items(count: number, values: (index: number) => Values & { readonly name: string }): Promise<string[]>
  /** @returns its id */
  change(configId: string, values?: Values): Promise<string>
  /** @returns their ids in order */
  changes(count: number, values: (index: number) => Values & { readonly config_id: string }): Promise<string[]>
  /** An open one. @returns its id */
  insight(configId: string, values?: Values): Promise<string>
  /** From the first to the second; `hard` is written by the database for whoever has a parent. */
  relate(configId: string, relatedId: string, relation?: string): Promise<void>
  /** @returns its id */
  scraper(name: string, values?: Values): Promise<string>
}

export function createCatalogRows(pool: Pick<Pool, 'query'>): CatalogRows {
  const many = async (table: keyof typeof DEFAULTS, rows: readonly Values[]): Promise<string[]> => {
    const complete = rows.map((row) => ({ id: randomUUID() as string, ...DEFAULTS[table], ...row }))
    await insert(pool, table, complete)
    return complete.map(({ id }) => id)
  }
  const one = async (table: keyof typeof DEFAULTS, row: Values): Promise<string> => {
    const [id = ''] = await many(table, [row])
    return id
  }
  const list = <Row>(count: number, values: (index: number) => Row): Row[] =>
    Array.from({ length: count }, (_, index) => values(index))

  return {
    item: (name, values) => one('config_items', { name, ...values }),
    items: (count, values) => many('config_items', list(count, values)),
    change: (config_id, values) => one('config_changes', { config_id, ...values }),
    changes: (count, values) => many('config_changes', list(count, values)),
    insight: (config_id, values) => one('config_analysis', { config_id, ...values }),
    relate: (config_id, related_id, relation = 'uses') =>
      insert(pool, 'config_relationships', [{ config_id, related_id, relation }]),
    scraper: async (name, values) => {
      const id = randomUUID()
      await insert(pool, 'config_scrapers', [{ id, name, spec: {}, ...values }])
      return id
    },
  }
}
