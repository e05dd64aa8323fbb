// One page of changes with how many there are. Its texts are all of this file; whatever a caller wrote is a parameter.
import type { ChangeWordColumn, ConfigChange, ConfigChanges } from '@watchroom/shared/catalog'
import type { Pool } from 'pg'

import { type Bind, ofLabels } from '../../resources/requirementSql.ts'
import type { ChangesQuestion, SortColumn } from './changesRequest.ts'
import { ofWords } from './wordSql.ts'

/** Over the change `c` and its item `i`. */
const WORD_COLUMNS: Readonly<Record<ChangeWordColumn, string>> = {
  config_id: 'c.config_id::text',
  type: 'i.type',
  change_type: 'c.change_type',
  severity: 'c.severity',
  summary: 'c.summary',
  source: 'c.source',
  external_created_by: 'c.external_created_by',
}
const SORT: Readonly<Record<SortColumn, string>> = {
  name: 'i.name',
  change_type: 'c.change_type',
  summary: 'c.summary',
  source: 'c.source',
  created_at: 'c.created_at',
  count: 'c.count',
}
const COLUMNS = `c.id, c.config_id, i.agent_id, coalesce(c.external_change_id, '') as external_change_id, i.name, i.type,
  i.tags, c.change_type, c.severity, c.source, c.summary, to_json(c.created_at) #>> '{}' as created_at, c.created_by,
  c.external_created_by, c.count, to_json(c.first_observed) #>> '{}' as first_observed`

type Database = Pick<Pool, 'query'>

/** Parts that are empty are left out, as the backend of the reference does. */
export async function findChanges(database: Database, question: ChangesQuestion): Promise<Partial<ConfigChanges>> {
  const ids = await findItems(database, question)
  const { limit, offset } = question
  const page = await readPage(database, question, ids)
  const isEnd = page.length < limit && (page.length > 0 || offset === 0)
  const total = isEnd ? offset + page.length : await countAll(database, question, ids)
  if (total === 0) return {}
  return { total, ...(page.length > 0 ? { summary: countTypes(page), changes: page.map(withoutNulls) } : {}) }
}

function countTypes(page: readonly ConfigChange[]): Record<string, number> {
  const counts = new Map<string, number>()
  for (const { change_type: type } of page) counts.set(type ?? '', (counts.get(type ?? '') ?? 0) + 1)
  return Object.fromEntries(counts)
}

/** The item that is asked about and its relatives; null: all items. */
async function findItems(database: Database, { start, includesDeleted }: ChangesQuestion): Promise<string[] | null> {
  if (start === null) return null
  if (start.direction === null) return [start.id]
  const { rows } = await database.query<{ ids: string[] }>(
    `select array(
      select related.id from related_config_ids_recursive($1, $2, $3) as related
      where $4 or exists (select from config_items where config_items.id = related.id and deleted_at is null)
      union select $1::uuid) as ids`,
    [start.id, start.direction, start.depth, includesDeleted],
  )
  return rows[0]?.ids ?? []
}

async function readPage(
  database: Database,
  question: ChangesQuestion,
  ids: readonly string[] | null,
): Promise<ConfigChange[]> {
  const { order, limit, offset } = question
  const values: unknown[] = []
  const bind: Bind = (value) => `$${values.push(value)}`
  const { conditions } = toConditions(question, ids, bind)
  const direction = order.isDescending ? 'desc' : 'asc'
  const { rows } = await database.query<ConfigChange>(
    `select ${COLUMNS} from config_changes c join config_items i on i.id = c.config_id
    where ${conditions.join(' and ')}
    order by ${SORT[order.column]} ${direction}${order.column === 'created_at' ? '' : ' nulls last'}, c.id ${direction} limit ${bind(limit)} offset ${bind(offset)}`,
    values,
  )
  return rows
}

async function countAll(database: Database, question: ChangesQuestion, ids: readonly string[] | null): Promise<number> {
  const values: unknown[] = []
  const bind: Bind = (value) => `$${values.push(value)}`
  const { conditions, isOfItem } = toConditions(question, ids, bind)
  const { rows } = await database.query<{ total: number }>(
    `select count(*)::int as total from config_changes c ${isOfItem ? 'join config_items i on i.id = c.config_id' : ''}
    where ${conditions.join(' and ')}`,
    values,
  )
  return rows[0]?.total ?? 0
}

interface Conditions {
  readonly conditions: readonly string[]
  /** Any of them is about the item. */
  readonly isOfItem: boolean
}

function toConditions(question: ChangesQuestion, ids: readonly string[] | null, bind: Bind): Conditions {
  const { filter, start, includesDeleted, from, to } = question
  const ofChange = [
    ...(ids === null ? [] : [`c.config_id = any(${bind(ids)}::uuid[])`]),
    ...(from === null ? [] : [`c.created_at >= ${bind(from)}`]),
    ...(to === null ? [] : [`c.created_at <= ${bind(to)}`]),
    ...(filter.createdBy === null ? [] : [`c.created_by = ${bind(filter.createdBy)}`]),
  ]
  const ofItem = [
    ...(filter.agentId === null ? [] : [`i.agent_id = ${bind(filter.agentId)}`]),
    // Relatives that are deleted were left out before.
    ...(includesDeleted || start !== null ? [] : ['i.deleted_at is null']),
    ...filter.tags.map((requirement) => ofLabels('i.tags', requirement, bind)),
  ]
  for (const { column, filter: words } of filter.words) {
    const place = column === 'type' ? ofItem : ofChange
    place.push(...ofWords(WORD_COLUMNS[column], words, bind))
  }
  return { conditions: ['true', ...ofChange, ...ofItem], isOfItem: ofItem.length > 0 }
}

const withoutNulls = (change: ConfigChange): ConfigChange =>
  Object.fromEntries(Object.entries(change).filter(([, value]) => value !== null)) as ConfigChange
