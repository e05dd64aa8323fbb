// Items of the catalog in groups, with their figures. Its texts are all of this file; whatever a caller wrote is a parameter.
import { type ConfigSummary, HEALTH_BAR, type WordFilter } from '@watchroom/shared/catalog'
import type { Pool } from 'pg'

import { inTransaction } from '../../../platform/database/inTransaction.ts'
import type { Bind } from '../../resources/requirementSql.ts'
import type { SummaryQuestion } from './summaryRequest.ts'
import { ofKeyWords, ofWords } from './wordSql.ts'

type Row = Pick<ConfigSummary, 'count' | 'health' | 'changes' | 'analysis'> & {
  /** Of the group, in the order in which they were asked for. */
  readonly keys: readonly (string | null)[]
  readonly created_at: Date | null
  readonly updated_at: Date | null
  readonly cost: number | null
}

/**
 * For the counts of 50,000 items and of hundreds of thousands of changes: what does not fit in memory is sorted on disk instead,
 * which takes half as long again, and what is counted by several at once takes half the time.
 */
const SETTINGS = ["work_mem = '32MB'", 'parallel_setup_cost = 0', 'parallel_tuple_cost = 0.01']

export async function summarize(pool: Pool, question: SummaryQuestion): Promise<ConfigSummary[]> {
  const values: unknown[] = []
  const statement = toStatement(question, (value) => `$${values.push(value)}`)
  const { rows } = await inTransaction(pool, async (client) => {
    await client.query(SETTINGS.map((setting) => `set local ${setting}`).join(';'))
    return client.query<Row>(statement, values)
  })
  return rows.map((row) => toSummary(question, row))
}

/** Items, changes and insights are counted by group each for itself: rows that are joined before they are counted are no parallel work. */
function toStatement(question: SummaryQuestion, bind: Bind): string {
  const { groupBy, changesSince, analysisSince, cost } = question
  // Lists are equal where both have nothing at a place, which columns are not.
  const keys = `array[${groupBy.map((key) => (key === 'type' ? 'i.type' : `i.tags ->> ${bind(key)}::text`)).join(', ')}]`
  const isOfItem = toConditions(question, bind).join(' and ')
  return `
    with by_health as (
      select ${keys} as keys, i.health, count(*) as count, max(i.created_at) as created_at, max(i.updated_at) as updated_at,
        ${cost === null ? 'null::numeric' : `sum(i.cost_total_${cost})`} as cost
      from config_items i where ${isOfItem}
      group by 1, 2
    ),
    grouped as (
      select keys, sum(count)::int as count, jsonb_object_agg(health, count) filter (where health is not null) as health,
        max(created_at) as created_at, max(updated_at) as updated_at, sum(cost)::float8 as cost
      from by_health group by keys
    )
    select grouped.*, ${changesSince === null ? '0' : 'coalesce(changed.total, 0)'} as changes,
      ${analysisSince === null ? 'null::jsonb' : `coalesce(insights.totals, '{}')`} as analysis
    from grouped
    ${changesSince === null ? '' : joinChanges(keys, isOfItem, bind(changesSince))}
    ${analysisSince === null ? '' : joinInsights(keys, isOfItem, bind(analysisSince))}
    order by grouped.keys`
}

const joinChanges = (keys: string, isOfItem: string, since: string): string => `left join (
    select ${keys} as keys, sum(found.total)::int as total
    from (
      select config_id, count(*) as total from config_changes where created_at >= ${since} group by config_id
    ) as found join config_items i on i.id = found.config_id
    where ${isOfItem}
    group by 1
  ) as changed on changed.keys = grouped.keys`

const joinInsights = (keys: string, isOfItem: string, since: string): string => `left join (
    select keys, jsonb_object_agg(analysis_type, total) as totals from (
      select ${keys} as keys, coalesce(found.analysis_type, 'other') as analysis_type, count(*) as total
      from config_analysis as found join config_items i on i.id = found.config_id
      where found.last_observed >= ${since} and ${isOfItem}
      group by 1, 2
    ) as counted
    group by keys
  ) as insights on insights.keys = grouped.keys`

/** What `toConfigHealth` makes of it: other words, and none, are unknown. */
const HEALTH = `case when lower(i.health) = any('{${HEALTH_BAR.join()}}') then lower(i.health) else 'unknown' end`

function toConditions({ includesDeleted, labels, tags, health, status }: SummaryQuestion, bind: Bind): string[] {
  const ofKeys = (column: string, filters: SummaryQuestion['labels']): string[] =>
    filters.flatMap(({ key, filter }) => ofKeyWords(`(${column} ->> ${bind(key)}::text)`, filter, bind))
  const ofColumn = (column: string, filter: WordFilter): string[] => ofWords(column, filter, bind)
  return [
    includesDeleted ? 'true' : 'i.deleted_at is null',
    ...ofKeys('i.labels', labels),
    ...ofKeys('i.tags', tags),
    ...ofColumn(HEALTH, health),
    ...ofColumn('i.status', status),
  ]
}

/** The cost under both of its names: that of the reference, and the one that the reference's console reads. */
function toSummary({ groupBy, changesSince, analysisSince, cost }: SummaryQuestion, row: Row): ConfigSummary {
  const keys = groupBy.map((key, index) => [key === 'type' ? key : key.toLowerCase(), row.keys[index] ?? null])
  return {
    ...Object.fromEntries(keys),
    health: row.health,
    created_at: row.created_at?.toISOString() ?? null,
    updated_at: row.updated_at?.toISOString() ?? null,
    count: row.count,
    ...(cost === null ? {} : { [`cost_${cost}`]: row.cost, [`cost_total_${cost}`]: row.cost }),
    ...(changesSince === null ? {} : { changes: row.changes }),
    ...(analysisSince === null ? {} : { analysis: row.analysis }),
  } as ConfigSummary
}
