import { SEVERITIES, tryParseSeverity } from '@watchroom/shared/catalog'
import type { QueryResultRow } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { insertConsoleRows, rows } from '#support/consoleRows.ts'
import { startTestDatabase, type TestDatabase } from '#support/database.ts'

let database: TestDatabase
const all = async <Row extends QueryResultRow>(sql: string): Promise<Row[]> =>
  (await database.pool.query<Row>(sql)).rows

const item = (suffix: number): string => `00000000-0000-4000-8000-${String(suffix).padStart(12, '0')}`
/** root > a > b by parent; b -> c -> d -> b softly (a cycle); e -> c softly; f is deleted below d. */
const graph = { root: item(1), a: item(2), b: item(3), c: item(4), d: item(5), e: item(6), f: item(7) }
const nameOf = new Map(Object.entries(graph).map(([name, id]) => [id, name]))

beforeAll(async () => {
  database = await startTestDatabase()
  await insertConsoleRows(database.pool)
  const { root, a, b, c, d, e, f } = graph
  await database.pool.query(`
    begin;
    insert into config_items (id, name, type, config_class, parent_id, path, deleted_at) values
      ('${root}', 'root', 'T', 'C', null, '${root}', null),
      ('${a}', 'a', 'T', 'C', '${root}', '${root}.${a}', null),
      ('${b}', 'b', 'T', 'C', '${a}', '${root}.${a}.${b}', null),
      ('${c}', 'c', 'T', 'C', null, '${c}', null),
      ('${d}', 'd', 'T', 'C', null, '${d}', null),
      ('${e}', 'e', 'T', 'C', null, '${e}', null),
      ('${f}', 'f', 'T', 'C', null, '${f}', now());
    insert into config_relationships (config_id, related_id, relation, deleted_at) values
      ('${b}', '${c}', 'uses', null), ('${c}', '${d}', 'uses', null), ('${d}', '${b}', 'uses', null),
      ('${e}', '${c}', 'uses', null), ('${d}', '${f}', 'uses', null), ('${b}', '${e}', 'gone', now());
    insert into config_changes (config_id, change_type) select id, 'Changed ' || name from config_items where type = 'T';
    commit`)
})
afterAll(() => database.stop())

interface Related extends QueryResultRow {
  name: string
  related_ids: string[] | null
}

/** `name -> names of its targets`, in the order of the answer. */
async function related(parameters: string): Promise<string[]> {
  const found = await all<Related>(`select name, related_ids from related_configs_recursive(${parameters})`)
  return found.map(({ name, related_ids: targets }) => {
    const names = (targets ?? []).map((id) => nameOf.get(id) ?? id).toSorted()
    return names.length > 0 ? `${name} -> ${names.join(' ')}` : name
  })
}

describe('related_configs_recursive', () => {
  it('walks down by default and always shows the way up to the root', async () => {
    expect((await related(`'${graph.b}'`)).toSorted()).toEqual(['a -> b', 'b -> c', 'c -> d', 'd -> b f', 'root -> a'])
  })

  it('walks up', async () => {
    expect((await related(`'${graph.c}', 'incoming'`)).toSorted()).toEqual([
      'a -> b',
      'b -> c',
      'c -> d',
      'd -> b',
      'e -> c',
      'root -> a',
    ])
  })

  it('walks both ways for `all` and for a direction it does not know', async () => {
    const both = await related(`'${graph.a}', 'all'`)
    expect(both.toSorted()).toEqual(['a -> b', 'b -> c', 'c -> d', 'd -> b f', 'root -> a'])
    expect(await related(`'${graph.a}', 'sideways'`)).toEqual(both)
  })

  it('follows only edges from parents when asked for hard ones', async () => {
    expect((await related(`'${graph.root}', 'outgoing', false, 5, 'both', 'hard'`)).toSorted()).toEqual([
      'a -> b',
      'b',
      'root -> a',
    ])
  })

  it('stops at the depth', async () => {
    expect((await related(`'${graph.a}', 'outgoing', false, 1`)).toSorted()).toEqual(['a -> b', 'b', 'root -> a'])
    expect((await related(`'${graph.root}', 'outgoing', false, 2`)).toSorted()).toEqual(['a -> b', 'b', 'root -> a'])
  })

  it('shows deleted items only on request', async () => {
    const names = (shown: string[]): string[] => shown.map((line) => line.split(' ')[0] ?? '')
    expect(names(await related(`'${graph.d}', 'outgoing', false, 1`))).not.toContain('f')
    expect(names(await related(`'${graph.d}', 'outgoing', true, 1`))).toContain('f')
  })

  it('shows an item without any edge alone', async () => {
    await database.pool.query(`insert into config_items (id, name, type, config_class, path)
      values ('${item(9)}', 'alone', 'Lonely', 'C', '${item(9)}')`)
    expect(await related(`'${item(9)}', 'all'`)).toEqual(['alone'])
    expect(await related(`'${item(404)}', 'all'`)).toEqual([])
  })

  it('lists the nearest sources first and those without targets last', async () => {
    const order = await related(`'${graph.root}', 'outgoing', false, 3`)
    expect(order).toEqual(['root -> a', 'a -> b', 'b -> c', 'c'])
  })

  it('answers a dense graph at once', async () => {
    await database.pool.query(`
      insert into config_items (name, type, config_class) select 'dense ' || n, 'Dense', 'C' from generate_series(1, 60) as n;
      insert into config_relationships (config_id, related_id, relation)
      select one.id, other.id, 'uses' from config_items as one, config_items as other
      where one.type = 'Dense' and other.type = 'Dense' and one.id <> other.id`)
    const [start] = await all<{ id: string }>(`select id from config_items where type = 'Dense' limit 1`)
    const startedAt = performance.now()
    const found = await all(`select id from related_configs_recursive('${start?.id ?? ''}', 'all', false, 10)`)
    expect(found).toHaveLength(60)
    // Walking every path instead of every node would take years here.
    expect(performance.now() - startedAt).toBeLessThan(10_000)
  })
})

describe('related_changes_recursive', () => {
  const changes = async (parameters: string): Promise<unknown[]> =>
    (await all<{ change_type: string }>(`select change_type from related_changes_recursive(${parameters})`))
      .map(({ change_type: type }) => type.replace('Changed ', ''))
      .toSorted()

  it('tells the changes of an item and of everything downstream', async () => {
    expect(await changes(`'${graph.e}'`)).toEqual(['b', 'c', 'd', 'e', 'f'])
  })

  it('tells those upstream, both, or the item alone', async () => {
    expect(await changes(`'${graph.a}', 'upstream'`)).toEqual(['a', 'root'])
    expect(await changes(`'${graph.a}', 'all', false, 1`)).toEqual(['a', 'b', 'root'])
    expect(await changes(`'${graph.a}', 'none'`)).toEqual(['a'])
    expect(await changes(`'${graph.a}', ''`)).toEqual(['a'])
  })
})

describe('walks along parents', () => {
  it('reads the stored path upwards, nearest first', async () => {
    expect(
      await all(`select id, related_id, relation_type, direction, depth from get_recursive_path('${graph.b}')`),
    ).toEqual([
      { id: graph.a, related_id: graph.b, relation_type: 'parent', direction: 'incoming', depth: 1 },
      { id: graph.root, related_id: graph.a, relation_type: 'parent', direction: 'incoming', depth: 2 },
    ])
  })

  it('computes the path from the parents', async () => {
    expect(await all(`select config_path('${graph.b}') as path`)).toEqual([
      { path: `${graph.root}.${graph.a}.${graph.b}` },
    ])
  })

  it('lists children by level, ten levels for a negative depth', async () => {
    expect(await all(`select child_id, level from lookup_config_children('${graph.root}', -1)`)).toEqual([
      { child_id: graph.root, level: 0 },
      { child_id: graph.a, level: 1 },
      { child_id: graph.b, level: 2 },
    ])
    expect(await all(`select 1 from lookup_config_children('${graph.root}', 1)`)).toHaveLength(2)
    expect(
      await all(`select child_id, parent_id, level from lookup_component_children('${rows.component}', 5)`),
    ).toEqual([
      { child_id: rows.component, parent_id: null, level: 0 },
      { child_id: rows.childComponent, parent_id: rows.component, level: 1 },
    ])
  })
})

describe('lookups', () => {
  it.each([
    [`name from lookup_configs_by_component('${rows.component}')`, ['web-1']],
    [`name from lookup_components_by_config('${rows.pod}')`, ['shop']],
    [`name from lookup_components_by_check('${rows.check}')`, ['shop']],
    [`name from lookup_component_by_property('owner', 'platform')`, ['shop']],
    [`name from lookup_component_by_property('owner', 'nobody')`, []],
    [`name from check_summary_for_component('${rows.component}')`, ['home']],
    [`change_type from lookup_changes_by_component('${rows.component}')`, ['diff']],
    [`id from lookup_component_relations('${rows.childComponent}')`, [rows.component]],
    [`id from lookup_config_relations('${rows.pod}')`, [rows.namespace]],
    [`id from lookup_component_incidents('${rows.component}')`, [rows.incident]],
    [`names from lookup_component_names('{${rows.childComponent},${rows.component}}')`, [['cart', 'shop']]],
  ])('select %s', async (query, expected) => {
    expect((await all(`select ${query}`)).map((row) => Object.values(row)[0] as unknown)).toEqual(expected)
  })
})

describe('ids', () => {
  it('sort by the time they were made', async () => {
    const [ids] = await all<{ sorted: boolean; distinct: number }>(`
      with made as (select n, generate_ulid() as id, pg_sleep(0.002) from generate_series(1, 20) as n)
      select array_agg(id order by n) = array_agg(id order by id) as sorted, count(distinct id)::integer as distinct from made`)
    expect(ids).toEqual({ sorted: true, distinct: 20 })
  })

  it('start with the milliseconds since the epoch', async () => {
    const [made] = await all<{ id: string }>('select generate_ulid() as id')
    const milliseconds = Number.parseInt((made?.id ?? '').replaceAll('-', '').slice(0, 12), 16)
    expect(Math.abs(milliseconds - Date.now())).toBeLessThan(60_000)
  })

  it('are spelled as 26 characters of Crockford base32', async () => {
    expect(
      await all(`select uuid_to_ulid('00000000-0000-0000-0000-000000000000') as zero,
        uuid_to_ulid('ffffffff-ffff-ffff-ffff-ffffffffffff') as last,
        uuid_to_ulid('0163a4c5-e7f9-4bcd-9b45-6789abcdef01') as some`),
    ).toEqual([{ zero: '0'.repeat(26), last: `7${'Z'.repeat(25)}`, some: ulidOf('0163a4c5e7f94bcd9b456789abcdef01') }])
  })

  it('mask what is no reference to a secret', async () => {
    expect(
      await all(`select mask_sensitive('secret://a/b') as reference, mask_sensitive('') as empty,
        mask_sensitive('hunter2') as value, mask_sensitive(null) as nothing`),
    ).toEqual([{ reference: 'secret://a/b', empty: '', value: '***', nothing: '***' }])
  })
})

describe('summaries of the catalog', () => {
  it('count per type what is open and what changed lately', async () => {
    expect(
      await all(`select type, analysis, severity, changes::integer, total_configs::integer, cost_per_minute
        from config_summary where type like 'Kubernetes::%'`),
    ).toEqual([
      {
        type: 'Kubernetes::Cluster',
        analysis: null,
        severity: null,
        changes: 0,
        total_configs: 1,
        cost_per_minute: null,
      },
      {
        type: 'Kubernetes::Namespace',
        analysis: null,
        severity: null,
        changes: 0,
        total_configs: 1,
        cost_per_minute: null,
      },
      {
        type: 'Kubernetes::Pod',
        analysis: { reliability: 1 },
        severity: { medium: 1 },
        changes: 1,
        total_configs: 1,
        cost_per_minute: '0.2500',
      },
    ])
    expect(
      await all(`select config_class, analysis, changes::integer from config_class_summary where config_class = 'Pod'`),
    ).toEqual([{ config_class: 'Pod', analysis: { reliability: 1 }, changes: 1 }])
  })

  it('count per item what changed and was found in the window', async () => {
    await database.pool.query(
      `update config_changes set created_at = now() - interval '8 days' where id = '${rows.change}'`,
    )
    const counts = (days: string) =>
      all(`select config_changes_count::integer as changes, config_analysis_type_counts as found
        from config_item_analysis_change_count_${days} where config_id = '${rows.pod}'`)
    expect(await counts('7d')).toEqual([{ changes: 0, found: { reliability: 1 } }])
    expect(await counts('30d')).toEqual([{ changes: 1, found: { reliability: 1 } }])
  })
})

describe('severity_rank', () => {
  it('puts insights in the one order of severities, however they are written; other words have no rank', async () => {
    const words = [...SEVERITIES, 'High', 'odd', null]
    await database.pool.query(
      `insert into config_analysis (config_id, analyzer, analysis_type, severity)
      select '${graph.b}', 'ranked', 'other', unnest($1::text[])`,
      [words],
    )
    const found = await all<{ severity: string | null; rank: number | null }>(
      `select severity, config_analysis_items.severity_rank as rank from config_analysis_items where analyzer = 'ranked'`,
    )
    expect(found).toHaveLength(words.length)
    for (const { severity, rank } of found) {
      const known = tryParseSeverity(severity)
      expect(rank).toBe(known === null ? null : SEVERITIES.indexOf(known) + 1)
    }
  })
})

describe('retention', () => {
  it('drops config items deleted long ago that nobody refers to', async () => {
    const before = await all('select id from config_items')
    await database.pool.query(`
      update config_items set deleted_at = now() - interval '8 days' where id in ('${graph.a}', '${graph.f}', '${rows.pod}');
      select watchroom_internal.delete_old_config_items(now() - interval '7 days', 100)`)
    const after = await all('select id from config_items')
    expect(before.length - after.length).toBe(2)
    // Evidence points at the pod.
    expect(await all(`select id from config_items where id = '${rows.pod}'`)).toHaveLength(1)
    expect(await all(`select parent_id from config_items where id = '${graph.b}'`)).toEqual([{ parent_id: null }])
    expect(await all(`select 1 from config_changes where config_id = '${graph.a}'`)).toEqual([])
  })

  it('drops items together with what is below their path', async () => {
    await database.pool.query(`select watchroom_internal.drop_config_items('{${graph.root}}')`)
    expect(await all(`select id from config_items where id in ('${graph.root}', '${graph.b}')`)).toEqual([])
  })
})

/** The same spelling computed another way: by dividing the 128 bit number. */
function ulidOf(hexadecimal: string): string {
  const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
  let value = BigInt(`0x${hexadecimal}`)
  let text = ''
  for (let position = 0; position < 26; position++) {
    text = (alphabet[Number(value % 32n)] ?? '') + text
    value /= 32n
  }
  return text
}

describe('lists of items', () => {
  it('find what changed last by an index, in the order in which they ask', async () => {
    await database.pool.query(
      `insert into config_items (name, type, config_class) select 'filler ' || n, 'T', 'C' from generate_series(1, 3000) n;
       analyze config_items`,
    )
    const plan = await all(
      'explain select * from configs where deleted_at is null order by updated_at desc nulls last, id limit 100',
    )
    expect(JSON.stringify(plan)).toContain('config_items_updated_at_idx')
  })
})
