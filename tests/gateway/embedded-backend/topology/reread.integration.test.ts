import type { Component } from '@watchroom/shared/topology'
import { cutTopology } from '@watchroom/shared/topology'
import type { Pool, PoolClient, QueryConfig } from 'pg'
import { pino } from 'pino'
import { afterEach, expect, it } from 'vitest'

import { eventually } from '#support/eventually.ts'

import { createComponentEstate } from '../../../../gateway/src/embedded-backend/topology/estate/createComponentEstate.ts'
import { systemClock } from '../../../../gateway/src/platform/clock.ts'
import { startTestDatabase } from '../../../support/database.ts'
import { insertRow } from '../../../support/insertRow.ts'

const closes: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closes.splice(0).toReversed()) await close()
})

const KINDS = { all: /^\s*with wanted/, touched: /^touched components$/ } as const

/** A pool that hands over the answers about all components, or about those that changed, when the test says so. */
function holdReads(pool: Pool) {
  let [kind, gate]: [keyof typeof KINDS, Promise<void> | null] = ['all', null]
  let open = (): void => undefined
  const counts = { all: 0, touched: 0 }
  const holdClient = (client: PoolClient): PoolClient => {
    const query = async (statement: string | QueryConfig, values?: unknown[]): Promise<unknown> => {
      const answer = await client.query(statement, values)
      const word = typeof statement === 'string' ? statement : (statement.name ?? '')
      for (const each of ['all', 'touched'] as const) {
        if (!KINDS[each].test(word)) continue
        counts[each] += 1
        if (each === kind) await gate
      }
      return answer
    }
    return replace(client, 'query', query)
  }
  return {
    pool: replace(pool, 'connect', async () => holdClient(await pool.connect())),
    hold: (which: keyof typeof KINDS) => {
      kind = which
      gate = new Promise((resolve) => {
        open = resolve
      })
    },
    count: (which: keyof typeof KINDS) => counts[which],
    release: () => {
      gate = null
      open()
    },
  }
}

const replace = <T extends object>(original: T, name: keyof T, replacement: unknown): T =>
  new Proxy(original, {
    get: (target, key) => {
      if (key === name) return replacement
      const value: unknown = Reflect.get(target, key)
      return typeof value === 'function' ? (value.bind(target) as unknown) : value
    },
  })

async function useEstate() {
  const database = await startTestDatabase()
  closes.push(() => database.stop())
  await database.pool.query('delete from components')
  const reads = holdReads(database.pool)
  const estate = createComponentEstate({
    pool: reads.pool,
    channels: database.channels,
    clock: systemClock,
    logger: pino({ level: 'silent' }),
  })
  closes.push(() => estate.close())
  let count = 0
  const sync = estate.jobs.find(({ name }) => name === 'ComponentStatusSummarySync')
  return {
    estate,
    pool: database.pool,
    reads,
    insert: (values: Record<string, unknown> = {}) => {
      const name = `c${(count += 1)}`
      return insertRow(database.pool, 'components', { external_id: name, name, status: '', type: 'Service', ...values })
    },
    sync: async () => {
      const report = { success: () => undefined, failure: () => undefined }
      await sync?.run({ pool: reads.pool, signal: new AbortController().signal, now: Date.now(), report })
    },
    /** From then on everything is read again for a reason alone. */
    start: async () => {
      await estate.start()
      await eventually(async () => {
        const before = reads.count('all')
        await estate.read()
        expect(reads.count('all')).toBe(before)
      })
    },
    read: async (id: string): Promise<Component | undefined> => {
      const page = { id, depth: 3, sortBy: 'status', sortOrder: 'desc' } as const
      return cutTopology(await estate.read(), page).components?.[0]
    },
  }
}

it('lets changes and questions by while everything is read again, and takes nothing of them back', async () => {
  const { insert, pool, read, reads, start, sync } = await useEstate()
  const [changed, gone] = [await insert({ health: 'healthy' }), await insert()]
  await start()
  const before = reads.count('all')
  reads.hold('all')
  const synced = sync()
  await eventually(() => expect(reads.count('all')).toBe(before + 1))
  await pool.query("update components set health = 'unhealthy' where id = $1", [changed])
  await pool.query('update components set deleted_at = now() where id = $1', [gone])
  const late = await insert({ health: 'warning' })
  const look = async () => [(await read(changed))?.health, await read(gone), (await read(late))?.health]
  expect(await look()).toEqual(['unhealthy', undefined, 'warning'])
  const shown = () => pool.query<{ health: string }>('select health from components where id = $1', [changed])
  await eventually(async () => expect((await shown()).rows).toEqual([{ health: 'unhealthy' }]))
  reads.release()
  await synced
  expect(await look()).toEqual(['unhealthy', undefined, 'warning'])
  expect((await shown()).rows).toEqual([{ health: 'unhealthy' }])
})

it('finds what nobody told: what is different, what is new and what is gone', async () => {
  const { insert, pool, read, start, sync } = await useEstate()
  const [changed, gone] = [await insert({ health: 'healthy' }), await insert()]
  await start()
  await pool.query('alter table components disable trigger tell_estate')
  await pool.query("update components set health = 'unhealthy' where id = $1", [changed])
  await pool.query('update components set deleted_at = now() where id = $1', [gone])
  const late = await insert({ health: 'warning' })
  expect(await read(late)).toBeUndefined()
  await sync()
  expect([(await read(changed))?.health, await read(gone), (await read(late))?.health]).toEqual([
    'unhealthy',
    undefined,
    'warning',
  ])
})

it('shows in a row what became different again after it was read beside the writing of that row', async () => {
  const { insert, pool, reads, start } = await useEstate()
  const parent = await insert()
  const child = await insert({ parent_id: parent, health: 'healthy' })
  const owner = await insert()
  const shows = (health: string) =>
    eventually(async () => {
      const { rows } = await pool.query<{ health: string }>('select health from components where id = $1', [parent])
      expect(rows).toEqual([{ health }])
    })
  await start()
  await shows('healthy')
  const writer = await pool.connect()
  try {
    await writer.query('begin')
    await writer.query('select from components where id = $1 for no key update', [parent])
    await pool.query("update components set health = 'unhealthy' where id = $1", [child])
    await eventually(async () => {
      const { rows } = await pool.query<{ count: number }>(
        "select count(*)::int as count from pg_stat_activity where wait_event_type = 'Lock' and query like '%write_rolled_up%'",
      )
      expect(rows).toEqual([{ count: 1 }])
    })
    const before = reads.count('touched')
    reads.hold('touched')
    await insertRow(pool, 'component_relationships', { component_id: parent, relationship_id: owner, selector_id: 's' })
    await eventually(() => expect(reads.count('touched')).toBe(before + 1))
    await writer.query('commit')
  } finally {
    writer.release(true)
  }
  await shows('unhealthy')
  reads.release()
  await pool.query("update components set health = 'healthy' where id = $1", [child])
  await shows('healthy')
})

it('reads many, and finds a few of them by their keys, though there were none when it began', async () => {
  const { estate, insert, pool, read, start } = await useEstate()
  const clients = new Set<PoolClient>()
  pool.on('acquire', (client) => clients.add(client))
  pool.on('remove', (client) => clients.delete(client))
  await pool.query('delete from checks')
  await pool.query('vacuum analyze components, checks, check_component_relationships')
  await start()
  const first = await insert()
  expect(await read(first)).toBeDefined()
  const canary = await insertRow(pool, 'canaries', { name: 'many', namespace: 'default', spec: {} })
  await pool.query(
    `with parts as (
       insert into components (external_id, name, type, status)
       select 'many ' || n, 'many ' || n, 'Service', '' from generate_series(1, 1000) as n returning id, name),
     known as (
       insert into checks (canary_id, name, type, status) select $1, name, 'http', 'healthy' from parts returning id, name)
     insert into check_component_relationships (component_id, check_id, canary_id, selector_id)
     select parts.id, known.id, $1, 's' from parts join known using (name)`,
    [canary],
  )
  expect((await estate.read()).rows.size).toBe(1_001)
  await pool.query("update components set health = 'warning' where id = $1", [first])
  expect((await read(first))?.health).toBe('warning')
  const plans: unknown[] = []
  for (const client of clients) {
    const { rows } = await client.query("select from pg_prepared_statements where name = 'touched components'")
    const explain = `explain (format json) execute "touched components"('{}', '{}', '{}', '{}')`
    if (rows.length > 0)
      plans.push(...(await client.query<{ 'QUERY PLAN': unknown[] }>(explain)).rows[0]!['QUERY PLAN'])
  }
  const nodes = plans.flatMap((plan) => toNodes((plan as { Plan: Node }).Plan))
  const scans = nodes.filter((node) => node['Relation Name'] === 'checks')
  expect(scans.length).toBeGreaterThan(0)
  expect(scans.filter((node) => node['Index Cond'] === undefined && node['Recheck Cond'] === undefined)).toEqual([])
})

interface Node {
  readonly 'Relation Name'?: string
  readonly 'Index Cond'?: string
  readonly 'Recheck Cond'?: string
  readonly Plans?: readonly Node[]
}

const toNodes = (node: Node): Node[] => [node, ...(node.Plans ?? []).flatMap(toNodes)]
