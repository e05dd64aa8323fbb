import type { Component } from '@watchroom/shared/topology'
import { cutTopology } from '@watchroom/shared/topology'
import type { Pool } from 'pg'
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

/** A pool that hands over the answers about all components when the test says so. */
function holdWholeReads(pool: Pool) {
  let gate: Promise<void> | null = null
  let open = (): void => undefined
  let count = 0
  const query = async (text: string, values?: unknown[]): Promise<unknown> => {
    const answer = await pool.query(text, values)
    if (text.includes('with wanted')) {
      count += 1
      await gate
    }
    return answer
  }
  const held = new Proxy(pool, {
    get: (target, key) => {
      const value: unknown = key === 'query' ? query : Reflect.get(target, key)
      return typeof value === 'function' && key !== 'query' ? (value.bind(target) as unknown) : value
    },
  })
  return {
    pool: held,
    hold: () => {
      gate = new Promise((resolve) => {
        open = resolve
      })
    },
    count: () => count,
    release: () => open(),
  }
}

async function useEstate() {
  const database = await startTestDatabase()
  closes.push(() => database.stop())
  await database.pool.query('delete from components')
  const reads = holdWholeReads(database.pool)
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
        const before = reads.count()
        await estate.read()
        expect(reads.count()).toBe(before)
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
  const before = reads.count()
  reads.hold()
  const synced = sync()
  await eventually(() => expect(reads.count()).toBe(before + 1))
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
