// The product's own database: its schemas, tables, indexes and the settings that someone chose. Never a row of a table.
import type { Pool } from 'pg'

import { INSTALLATION_ID, type SelfInsight, type SelfItem, toMagnitude, toSizeClass } from './selfItem.ts'

const DATABASE_ID = 'database'
/** A table that is smaller is read as a whole anyway. */
const MIN_ROWS_FOR_INDEX = 10_000

export interface TableFacts {
  readonly schema: string
  readonly name: string
  readonly rows: number
  readonly bytes: number
  readonly hasKey: boolean
  readonly columns: readonly { readonly name: string; readonly type: string; readonly nullable: boolean }[]
}

export interface IndexFacts {
  readonly schema: string
  readonly table: string
  readonly name: string
  readonly definition: string
  readonly isUnique: boolean
  readonly isUsed: boolean
  readonly bytes: number
  readonly rows: number
}

export interface SettingFacts {
  readonly name: string
  readonly value: string
  readonly unit: string | null
  readonly category: string
}

interface DatabaseFacts {
  readonly name: string
  readonly version: string
  readonly encoding: string
}

const OWN_SCHEMAS = `nspname !~ '^pg_' and nspname <> 'information_schema'`

const TABLES = `
select nspname as schema, relname as name, greatest(reltuples, pg_stat_get_live_tuples(pg_class.oid), 0)::float8 as rows,
  pg_table_size(pg_class.oid)::float8 as bytes,
  exists (select from pg_constraint where conrelid = pg_class.oid and contype = 'p') as "hasKey",
  (select coalesce(jsonb_agg(jsonb_build_object(
       'name', attname, 'type', format_type(atttypid, atttypmod), 'nullable', not attnotnull) order by attnum), '[]')
     from pg_attribute where attrelid = pg_class.oid and attnum > 0 and not attisdropped) as columns
from pg_class
join pg_namespace on pg_namespace.oid = relnamespace
where relkind in ('r', 'p') and not relispartition and ${OWN_SCHEMAS}
order by nspname, relname`

const INDEXES = `
select nspname as schema, held.relname as "table", own.relname as name, pg_get_indexdef(indexrelid) as definition,
  indisunique as "isUnique", coalesce(pg_stat_get_numscans(indexrelid), 0) > 0 as "isUsed",
  pg_relation_size(indexrelid)::float8 as bytes, greatest(held.reltuples, 0)::float8 as rows
from pg_index
join pg_class own on own.oid = indexrelid
join pg_class held on held.oid = indrelid
join pg_namespace on pg_namespace.oid = held.relnamespace
where not own.relispartition and ${OWN_SCHEMAS}
order by nspname, held.relname, own.relname`

// Texts may hold commands, addresses and passwords; numbers, switches and choices cannot.
const SETTINGS = `
select name, setting as value, nullif(unit, '') as unit, category
from pg_settings
where vartype <> 'string' and (name = any($1) or source not in ('default', 'override', 'client', 'session'))
order by name`

export async function readDatabase(pool: Pick<Pool, 'query'>): Promise<SelfItem[]> {
  const database = await pool.query<DatabaseFacts>(
    `select current_database() as name, current_setting('server_version') as version, current_setting('server_encoding') as encoding`,
  )
  const tables = await pool.query<TableFacts>(TABLES)
  const indexes = await pool.query<IndexFacts>(INDEXES)
  const settings = await pool.query<SettingFacts>(SETTINGS, [[...RECOMMENDED.keys()]])
  const [facts] = database.rows
  if (!facts) return []
  const schemas = [...new Set(tables.rows.map(({ schema }) => schema))]
  return [
    toDatabase(facts),
    ...schemas.map(toSchema),
    ...tables.rows.map(toTable),
    ...indexes.rows.map(toIndex),
    ...settings.rows.map(toSetting),
  ]
}

const toDatabase = ({ name, version, encoding }: DatabaseFacts): SelfItem => ({
  id: DATABASE_ID,
  name,
  type: 'PostgreSQL::Database',
  class: 'Database',
  parent: INSTALLATION_ID,
  health: 'healthy',
  config: { name, version, encoding },
})

const schemaId = (name: string): string => `${DATABASE_ID}/schema/${name}`
const tableId = ({ schema, name }: { schema: string; name: string }): string => `${DATABASE_ID}/table/${schema}.${name}`

const toSchema = (name: string): SelfItem => ({
  id: schemaId(name),
  name,
  type: 'PostgreSQL::Schema',
  class: 'DatabaseSchema',
  parent: DATABASE_ID,
  config: { name },
})

export function toTable(table: TableFacts): SelfItem {
  const { schema, name, rows, bytes, hasKey, columns } = table
  return {
    id: tableId(table),
    name: `${schema}.${name}`,
    type: 'PostgreSQL::Table',
    class: 'Table',
    parent: schemaId(schema),
    config: { schema, name, primaryKey: hasKey, columns },
    properties: [
      { name: 'rows', value: toMagnitude(rows) },
      { name: 'size', value: toSizeClass(bytes) },
    ],
    insights: hasKey ? [] : [WITHOUT_KEY],
  }
}

export function toIndex({ schema, table, name, definition, isUnique, isUsed, bytes, rows }: IndexFacts): SelfItem {
  const isWasted = !isUnique && !isUsed && rows >= MIN_ROWS_FOR_INDEX
  return {
    id: `${DATABASE_ID}/index/${schema}.${name}`,
    name: `${schema}.${name}`,
    type: 'PostgreSQL::Index',
    class: 'Index',
    parent: tableId({ schema, name: table }),
    config: { definition, unique: isUnique },
    properties: [{ name: 'size', value: toSizeClass(bytes) }],
    insights: isWasted ? [UNUSED] : [],
  }
}

export function toSetting({ name, value, unit, category }: SettingFacts): SelfItem {
  const advice = RECOMMENDED.get(name)
  return {
    id: `${DATABASE_ID}/setting/${name}`,
    name,
    type: 'PostgreSQL::Setting',
    class: 'Setting',
    parent: DATABASE_ID,
    config: { [name]: value, ...(unit !== null && { unit }), category },
    insights: advice && value === 'off' ? [{ analyzer: 'database-setting', ...advice }] : [],
  }
}

/** Settings that should be on, and what follows where they are not. */
const RECOMMENDED: ReadonlyMap<string, Omit<SelfInsight, 'analyzer'>> = new Map([
  [
    'fsync',
    {
      type: 'reliability',
      severity: 'critical',
      summary: 'fsync is off',
      message: 'The database may be lost as a whole when the machine stops. Set fsync to on.',
    },
  ],
  [
    'full_page_writes',
    {
      type: 'reliability',
      severity: 'high',
      summary: 'full_page_writes is off',
      message: 'Pages that were half written when the machine stopped cannot be repaired. Set full_page_writes to on.',
    },
  ],
  [
    'synchronous_commit',
    {
      type: 'reliability',
      severity: 'medium',
      summary: 'synchronous_commit is off',
      message: 'What was confirmed in the last moments before a crash may be gone. Set synchronous_commit to on.',
    },
  ],
  [
    'autovacuum',
    {
      type: 'performance',
      severity: 'high',
      summary: 'autovacuum is off',
      message: 'Tables grow with every change, and reading them slows down. Set autovacuum to on.',
    },
  ],
  [
    'data_checksums',
    {
      type: 'reliability',
      severity: 'low',
      summary: 'data_checksums is off',
      message:
        'A page that a disk spoiled is not noticed. Turn checksums on with pg_checksums while the server is down.',
    },
  ],
])

const WITHOUT_KEY: SelfInsight = {
  analyzer: 'table-without-key',
  type: 'recommendation',
  severity: 'info',
  summary: 'This table has no primary key',
  message: 'Logical replication cannot tell its rows apart, and doubles are kept out by other means or not at all.',
}

const UNUSED: SelfInsight = {
  analyzer: 'index-unused',
  type: 'performance',
  severity: 'low',
  summary: 'No query has used this index',
  message: 'Since statistics are kept nothing was found with it, and every write keeps it up to date.',
}
