// Writes the rows of one kind of a push, by its description: each that can be kept, and says of every other one why not. Repeating
// it changes nothing. Runs inside the transaction of the push.
import { isUuid, NIL_UUID, ownValue, toStorablePart } from '@watchroom/shared/kernel'
import type { PoolClient } from 'pg'

import { toDatabaseRefusal } from '../server/toDatabaseRefusal.ts'
import { ownSql, type ParentTable, type PushedRow, type PushKind } from './pushKinds.ts'

/** What an agent is told of a row that was not kept. */
export interface RowRefusal {
  readonly row: PushedRow
  readonly reason: string
  /** It would be kept once the rows are here that it refers to, as this agent's own. */
  readonly isOrphan: boolean
}

/** Rows per statement: what is under way at once in the database is a fraction of a push. */
const ROWS_PER_STATEMENT = 500
/** The zero time of the agents' language; there, a time that nobody set. */
const ZERO_TIME = '0001-01-01T00:00:00Z'
const NOT_OURS = 'belongs to someone else'
const NO_PARENT = 'refers to a row that is not here, or not of this agent'

interface Column {
  readonly name: string
  readonly type: string
  readonly isRequired: boolean
  /** SQL. */
  readonly fallback: string | null
}

/** @returns how many rows are new or were changed */
export async function storeRows(
  client: PoolClient,
  kind: PushKind,
  agentId: string,
  pushed: readonly PushedRow[],
  refuse: (refusal: RowRefusal) => void,
): Promise<number> {
  if (pushed.length === 0) return 0
  const columns = await readColumns(client, kind)
  const shaped = distinctRows(kind, pushed).filter((row) => {
    const fault = findFault(kind, columns, row)
    if (fault !== null) refuse({ row, reason: fault, isOrphan: false })
    return fault === null
  })
  const own = await withoutForeign(client, kind, agentId, shaped, refuse)
  const rows = await withParents(client, kind, agentId, own, refuse)
  const statement = mergeSql(kind, columns)
  const write = async (part: readonly PushedRow[]): Promise<number> => {
    const { rowCount } = await client.query(statement, [toJson(kind, part), agentId])
    return rowCount ?? 0
  }
  let changes = 0
  for (let start = 0; start < rows.length; start += ROWS_PER_STATEMENT) {
    changes += await storePart(client, rows.slice(start, start + ROWS_PER_STATEMENT), write, refuse)
  }
  return changes
}

/** @returns how many rows are gone; those of others, of people here and of the record, and those that are not there, are left alone */
export async function deleteRows(
  client: PoolClient,
  kind: PushKind,
  agentId: string,
  rows: readonly PushedRow[],
): Promise<number> {
  if (rows.length === 0 || kind.changed !== undefined) return 0
  const columns = await readColumns(client, kind)
  const named = distinctRows(kind, rows).filter((row) => findFault(kind, columns, row) === null)
  const { rowCount } = await client.query(
    `delete from public.${kind.table} as stored
     using (select ${keySql(kind, columns)} from ${recordsSql(kind)}) as pushed
     where ${matchSql(kind)} and (${ownSql(kind)})
       ${kind.source === undefined ? '' : `and (${writtenThereSql} or stored.deleted_at is not null)`}
       ${kind.isOpen === undefined ? '' : `and ${kind.isOpen}`}`,
    [toJson(kind, named), agentId],
  )
  return rowCount ?? 0
}

/** The last one counts of those that have one key. */
function distinctRows(kind: PushKind, rows: readonly PushedRow[]): PushedRow[] {
  const keyOf = (row: PushedRow): string => {
    const columns = toColumns(kind, row)
    return JSON.stringify(kind.key.map((column) => ownValue(columns, column) ?? ''))
  }
  return [...new Map(rows.map((row) => [keyOf(row), row])).values()]
}

/** What the questions below could not be asked with. Everything else the database says. */
function findFault(kind: PushKind, columns: readonly Column[], row: PushedRow): string | null {
  const given = toColumns(kind, row)
  const isIdColumn = (name: string): boolean => columns.some((column) => column.name === name && column.type === 'uuid')
  for (const name of kind.key) {
    const value = ownValue(given, name)
    if (isIdColumn(name) && !(typeof value === 'string' && isUuid(value))) return `${name}: expected a uuid`
  }
  for (const name of Object.keys(kind.parents)) {
    const value = ownValue(given, name) ?? null
    if (value !== null && !(typeof value === 'string' && isUuid(value))) return `${name}: expected a uuid`
  }
  return null
}

/** Rows whose key is an id of their own may be someone else's already; those of the others belong to their parents. */
async function withoutForeign(
  client: PoolClient,
  kind: PushKind,
  agentId: string,
  rows: readonly PushedRow[],
  refuse: (refusal: RowRefusal) => void,
): Promise<readonly PushedRow[]> {
  if (kind.key.join() !== 'id') return rows
  const { rows: stored } = await client.query<{ id: string; isOwn: boolean | null }>(
    `select id, (${ownSql(kind)}) as "isOwn" from public.${kind.table} as stored where id = any($1::uuid[])`,
    [rows.map(idOf), agentId],
  )
  const isOwn = new Map(stored.map((row) => [row.id, row.isOwn === true]))
  return rows.filter((row) => {
    const known = isOwn.get(idOf(row))
    const isKept = known ?? kind.changed === undefined
    if (!isKept) refuse({ row, reason: known === undefined ? 'is not known here' : NOT_OURS, isOrphan: true })
    return isKept
  })
}

/** @returns the rows whose parents are the agent's, each behind the one it refers to */
async function withParents(
  client: PoolClient,
  kind: PushKind,
  agentId: string,
  rows: readonly PushedRow[],
  refuse: (refusal: RowRefusal) => void,
): Promise<readonly PushedRow[]> {
  const columns = Object.entries(kind.parents)
  if (columns.length === 0) return rows
  const own = new Map<ParentTable, Set<string>>()
  for (const table of new Set(columns.map(([, parent]) => parent))) {
    const wanted = columns.flatMap(([column, parent]) =>
      parent === table ? rows.flatMap((row) => parentOf(row, column)) : [],
    )
    const { rows: found } = await client.query<{ id: string }>(
      `select id from public.${table} where id = any($1::uuid[]) and agent_id = $2`,
      [[...new Set(wanted)], agentId],
    )
    own.set(table, new Set(found.map(({ id }) => id)))
  }
  const isHere = ([column, table]: [string, ParentTable], row: PushedRow): boolean =>
    parentOf(row, column).every((id) => own.get(table)?.has(id))
  const refuseOrphan = (row: PushedRow): void => refuse({ row, reason: NO_PARENT, isOrphan: true })

  const outer = columns.filter(([, table]) => table !== kind.table)
  const inner = columns.filter(([, table]) => table === kind.table)
  const candidates = rows.filter((row) => {
    const isKept =
      outer.every((column) => isHere(column, row)) &&
      (kind.hasAgent || columns.some(([column]) => parentOf(row, column).length > 0))
    if (!isKept) refuseOrphan(row)
    return isKept
  })
  if (inner.length === 0) return candidates
  return inOrder(
    candidates,
    (row) => inner.every((column) => isHere(column, row)),
    own.get(kind.table as ParentTable),
    {
      parentsOf: (row) => inner.flatMap(([column]) => parentOf(row, column)),
      refuse: refuseOrphan,
    },
  )
}

/** Parents of a push stand before their children, however they were sent. */
function inOrder(
  rows: readonly PushedRow[],
  isReady: (row: PushedRow) => boolean,
  here: Set<string> | undefined,
  { parentsOf, refuse }: { parentsOf: (row: PushedRow) => string[]; refuse: (row: PushedRow) => void },
): PushedRow[] {
  const waiting = new Map<string, PushedRow[]>()
  const ordered: PushedRow[] = []
  const settled = new Set<PushedRow>()
  // The next one is the last of these: thousands may wait for one parent.
  const visit = rows.toReversed()
  for (let row = visit.pop(); row !== undefined; row = visit.pop()) {
    if (settled.has(row)) continue
    const missing = isReady(row) ? undefined : parentsOf(row).find((id) => !here?.has(id))
    if (missing !== undefined) {
      const beside = waiting.get(missing)
      if (beside) beside.push(row)
      else waiting.set(missing, [row])
      continue
    }
    settled.add(row)
    ordered.push(row)
    here?.add(idOf(row))
    for (const child of (waiting.get(idOf(row)) ?? []).toReversed()) visit.push(child)
  }
  for (const row of rows) if (!settled.has(row)) refuse(row)
  return ordered
}

/** Halved until the culprit stands alone: one odd row must not cost the others. */
async function storePart(
  client: PoolClient,
  rows: readonly PushedRow[],
  write: (rows: readonly PushedRow[]) => Promise<number>,
  refuse: (refusal: RowRefusal) => void,
): Promise<number> {
  await client.query('savepoint part')
  try {
    const changes = await write(rows)
    await client.query('release savepoint part')
    return changes
  } catch (error) {
    const refusal = toDatabaseRefusal(error)
    if (refusal === null) throw error
    await client.query('rollback to savepoint part; release savepoint part')
    const [row, second] = rows
    if (row !== undefined && second === undefined) {
      refuse({ row, reason: refusal.error, isOrphan: false })
      return 0
    }
    const middle = Math.ceil(rows.length / 2)
    return (
      (await storePart(client, rows.slice(0, middle), write, refuse)) +
      (await storePart(client, rows.slice(middle), write, refuse))
    )
  }
}

async function readColumns(client: PoolClient, { table, keptColumns = [], changed, key }: PushKind): Promise<Column[]> {
  const { rows } = await client.query<Column>(
    `select attname as name, format_type(atttypid, null) as type, attnotnull as "isRequired",
       pg_get_expr(adbin, adrelid) as fallback
     from pg_attribute left join pg_attrdef on adrelid = attrelid and adnum = attnum
     where attrelid = $1::regclass and attnum > 0 and not attisdropped`,
    [`public.${table}`],
  )
  const ours = new Set([...keptColumns, 'agent_id', 'is_pushed', 'created_by'])
  return rows.filter(({ name }) => !ours.has(name) && (changed === undefined || [...key, ...changed].includes(name)))
}

/** The value of a column. An invalid one counts as none, and where one is required a constant takes its place. */
function valueSql(kind: PushKind, column: Column): string {
  const { name, type, isRequired, fallback } = column
  const raw = `pushed.${name}`
  const given =
    type === 'uuid'
      ? `nullif(${raw}, '${NIL_UUID}')`
      : type === 'timestamp with time zone'
        ? `nullif(${raw}, '${ZERO_TIME}')`
        : kind.jsonTexts?.includes(name)
          ? `case when jsonb_typeof(${raw}) = 'string' and pg_input_is_valid(${raw} #>> '{}', 'jsonb')
               then (${raw} #>> '{}')::jsonb else ${raw} end`
          : raw
  const isEmptyText = type === 'text' && fallback === null && (isRequired || kind.key.includes(name))
  const standIn = isEmptyText ? `''` : isMadeHere(column) ? null : fallback
  return `${standIn === null ? given : `coalesce(${given}, ${standIn})`} as ${name}`
}

/** Another one each time: an id, the present moment. */
const isMadeHere = ({ fallback }: Column): boolean => fallback?.includes('(') === true

const recordsSql = ({ table }: PushKind): string =>
  `jsonb_populate_recordset(null::public.${table}, $1::jsonb) as pushed`

const keySql = (kind: PushKind, columns: readonly Column[]): string =>
  columns
    .filter(({ name }) => kind.key.includes(name))
    .map((column) => valueSql(kind, column))
    .join(', ')

const matchSql = ({ key }: PushKind): string => key.map((name) => `stored.${name} = pushed.${name}`).join(' and ')

/** Not by people of this installation. */
const writtenThereSql = `(stored.source is not null and stored.source <> 'UI')`

function mergeSql(kind: PushKind, columns: readonly Column[]): string {
  const insertOf = (column: Column): string =>
    isMadeHere(column) ? `coalesce(pushed.${column.name}, ${column.fallback})` : `pushed.${column.name}`
  const updateOf = (column: Column): string =>
    isMadeHere(column)
      ? `coalesce(pushed.${column.name}, ${column.name === 'updated_at' ? 'now()' : `stored.${column.name}`})`
      : `pushed.${column.name}`
  const written = columns.filter(({ name }) => !kind.key.includes(name))
  // The time of the last change comes with the rest, but is no change by itself.
  const compared = written.filter(({ name }) => name !== 'updated_at')
  const names = (of: readonly Column[]): string[] => of.map(({ name }) => name)
  const agent = kind.hasAgent ? ['agent_id'] : []
  const pushedAgent = kind.hasAgent ? ['pushed.agent_id'] : []
  const stored = [...agent, ...names(compared)].map((name) => `stored.${name}`)
  return `
    merge into public.${kind.table} as stored
    using (select $2::uuid as agent_id, ${columns.map((column) => valueSql(kind, column)).join(', ')} from ${recordsSql(kind)})
      as pushed
    on ${matchSql(kind)}
    when matched and (${stored.join(', ')}) is distinct from (${[...pushedAgent, ...compared.map(updateOf)].join(', ')})
      ${kind.source === undefined ? '' : `and ${writtenThereSql}`} ${kind.isOpen === undefined ? '' : `and ${kind.isOpen}`}
    then update set ${[...(kind.hasAgent ? ['agent_id = pushed.agent_id'] : []), ...written.map((column) => `${column.name} = ${updateOf(column)}`)].join(', ')}
    ${
      kind.changed === undefined
        ? `when not matched then insert (${[...agent, ...names(columns)].join(', ')})
             values (${[...pushedAgent, ...columns.map(insertOf)].join(', ')})`
        : ''
    }`
}

/** Under the names that the table has. */
function toColumns({ aliases, hasHealth, source }: PushKind, row: PushedRow): PushedRow {
  const columns = Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      ownValue(aliases, name) ?? name,
      hasHealth && name === 'health' && typeof value === 'string' ? value.toLowerCase() : value,
    ]),
  )
  return source === undefined ? columns : { ...columns, source: toSource(ownValue(columns, 'source'), source) }
}

const SOURCES: ReadonlySet<unknown> = new Set(['KubernetesCRD', 'ConfigFile', 'Topology', 'Push', 'CRDSync'])

/** Where an agent has a definition from; never that people here wrote it. */
function toSource(source: unknown, kind: 'text' | 'enum'): unknown {
  if (source === undefined || source === null || source === '') return 'ConfigFile'
  return source !== 'UI' && (kind === 'text' || SOURCES.has(source)) ? source : 'Push'
}

const parentOf = (row: PushedRow, column: string): string[] => {
  const id = ownValue(row, column)
  return typeof id === 'string' && id !== NIL_UUID ? [id.toLowerCase()] : []
}

const idOf = (row: PushedRow): string => String(row.id).toLowerCase()

const toJson = (kind: PushKind, rows: readonly PushedRow[]): string =>
  JSON.stringify(
    rows.map((row) => toColumns(kind, row)),
    toStorablePart,
  )
