// The recorder over a real database, read back as it was.
import type { Component } from '@watchroom/shared/topology'
import { type RecordedEstate, toRecordedEstate } from '@watchroom/shared/topology/history'
import { Pool } from 'pg'
import { pino } from 'pino'
import { beforeEach, describe, expect, it } from 'vitest'

import { startTestDatabase, type TestDatabase } from '#support/database.ts'
import { eventually } from '#support/eventually.ts'
import { FakeClock } from '#support/fakeClock.ts'
import { howMany } from '#support/howMany.ts'
import { createRandom } from '#support/random.ts'

import { GATEWAY_MIGRATIONS } from '../../../gateway/src/app/gatewayMigrations.ts'
import { statementDeadline } from '../../../gateway/src/platform/database/statementDeadline.ts'
import type { FeedListener } from '../../../gateway/src/polling/contract.ts'
import { createHistoryStore, type HistoryStore } from '../../../gateway/src/topology-history/createHistoryStore.ts'
import { createRecorder, type Recorder } from '../../../gateway/src/topology-history/createRecorder.ts'
import { dropOldHistory, type Retention } from '../../../gateway/src/topology-history/writeHistory.ts'

const SEEDS = howMany('WATCHROOM_HISTORY_SEEDS', { short: 20, long: 5_000 })
const WITHIN = { timeout: 20_000, interval: 5 }
const HOUR_MS = 3_600_000
const FOREVER: Retention = { keepMs: 400 * 24 * HOUR_MS, maxBytes: 2 ** 40 }
const idOf = (index: number): string => `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`

let database: TestDatabase
let store: HistoryStore
let clock: FakeClock
let recorders: Recorder[]

beforeEach(async () => {
  database = await startTestDatabase()
  for (const { sql } of GATEWAY_MIGRATIONS) await database.pool.query(sql)
  store = createHistoryStore(() => database.pool)
  clock = new FakeClock()
  recorders = []
  return async () => {
    for (const recorder of recorders) await recorder.close()
    await database.stop()
  }
})

interface Recording {
  /** One read that comes in, of what is different from an earlier one where that is given; resolves when it is written down. */
  readonly see: (components: readonly Component[], before?: readonly Component[]) => Promise<number>
  readonly fail: () => void
  readonly close: () => Promise<void>
}

/** A recorder whose source the test is; of two at once only the first gets a listener. */
async function record(retention = FOREVER): Promise<Recording> {
  let listener: FeedListener<Component> | null = null
  const recorder: Recorder = createRecorder({
    openTopology: () => ({
      freshForMs: 0,
      problem: () => null,
      listen: (given) => {
        listener = given
        return () => undefined
      },
      watch: () => () => undefined,
      wake: () => undefined,
      close: () => undefined,
    }),
    pool: () => database.pool,
    clock,
    logger: pino({ level: 'silent' }),
    retention,
  })
  recorders.push(recorder)
  await eventually(() => expect(listener).not.toBeNull(), WITHIN)
  return {
    see: async (components, before) => {
      const facts = { asOf: clock.now(), droppedRows: 0 }
      const { asOf } = facts
      if (before === undefined) listener?.onRead({ ...facts, kind: 'all', rows: components })
      else {
        const ids = new Set(components.map(({ id }) => id))
        const removed = before.flatMap(({ id }) => (ids.has(id) ? [] : [id]))
        listener?.onRead({
          ...facts,
          kind: 'changes',
          rows: components.filter((one) => !before.includes(one)),
          removed,
        })
      }
      await eventually(async () => {
        const { rows } = await database.pool.query<{ is_there: boolean }>(
          'select max(seen_until) >= $1 as is_there from watchroom.topology_recording',
          [new Date(asOf)],
        )
        expect(rows[0]?.is_there).toBe(true)
      }, WITHIN)
      return asOf
    },
    fail: () => listener?.onProblem({ code: 'x', message: 'x', consecutiveFailures: 1, nextAttemptAt: 0 }),
    close: recorder.close,
  }
}

const component = (index: number, values: Partial<Component> = {}): Component => ({
  id: idOf(index),
  name: `c${index}`,
  health: 'healthy',
  status: '',
  ...values,
})

const plain = (estate: RecordedEstate | null) =>
  estate === null ? null : Object.fromEntries([...estate].toSorted(([a], [b]) => (a < b ? -1 : 1)))

describe('what was recorded', () => {
  it(
    `is at any recorded instant the state of then, over ${SEEDS} seeds of random estates`,
    { timeout: 300_000 + SEEDS * 2_000 },
    async () => {
      for (let seed = 1; seed <= SEEDS; seed++) {
        await database.pool.query(
          `truncate watchroom.topology_recording, watchroom.topology_transition, watchroom.topology_structure,
           watchroom.topology_checkpoint, watchroom.topology_history_hour`,
        )
        const random = createRandom(seed)
        const pick = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)] as T
        const healths = ['healthy', 'unhealthy', 'warning', 'unknown']
        const fresh = (index: number): Component =>
          component(index, {
            health: pick(healths),
            status: pick(['', 'Running', 'Down']),
            hidden: random() < 0.1,
            parent_id: index > 3 && random() < 0.8 ? idOf(Math.floor(random() * index)) : null,
            parents: random() < 0.2 ? [idOf(Math.floor(random() * 20))] : [],
          })
        let present = new Map(Array.from({ length: 12 }, (_, index) => [index, fresh(index)]))
        let recording = await record()
        const truths: [number, RecordedEstate][] = []
        let before: Component[] | undefined
        for (let step = 0; step < 15; step++) {
          clock.step(Math.ceil(random() * 40_000))
          if (random() < 0.15) {
            await recording.close()
            recording = await record()
            before = undefined
          }
          present = new Map(present)
          for (let change = random() * 4; change > 0; change--) {
            const index = Math.floor(random() * 20)
            if (random() < 0.2) present.delete(index)
            else present.set(index, fresh(index))
          }
          clock.step(5_001)
          const now = [...present.values()]
          truths.push([await recording.see(now, random() < 0.7 ? before : undefined), toRecordedEstate(now)])
          before = now
        }
        await recording.close()
        for (const [at, truth] of truths) {
          expect(plain(await store.estateAt(at)), `seed ${seed} at ${at}`).toEqual(plain(truth))
          expect(plain(await store.estateAt(at + 1)), `seed ${seed} after ${at}`).toEqual(plain(truth))
        }
        expect(await store.estateAt((truths[0]?.[0] ?? 0) - 1)).toBeNull()
      }
    },
  )

  it('has rows only where something is different', async () => {
    const recording = await record()
    await recording.see([component(1), component(2)])
    for (let read = 0; read < 5; read++) {
      clock.step(30_000)
      await recording.see([component(1), component(2)])
    }
    const { rows } = await database.pool.query<{ count: number }>(
      `select (select count(*) from watchroom.topology_transition)::int + (select count(*) from watchroom.topology_structure)::int
         + (select count(*) from watchroom.topology_checkpoint)::int as count`,
    )
    expect(rows).toEqual([{ count: 3 }])
  })

  it('lists what became different, by name, and cuts a long list', async () => {
    const recording = await record()
    const from = await recording.see([component(1), component(2)])
    clock.step(10_000)
    const at = await recording.see([component(1, { health: 'unhealthy', status_reason: 'down' }), component(3)])
    clock.step(10_000)
    const to = await recording.see([component(1, { health: 'unhealthy', status_reason: 'still down' }), component(3)])
    const query = { from, to, order: 'asc' } as const
    const { transitions, isCut, density } = await store.transitions(query)
    const healthy = { health: 'healthy', status: '' }
    expect(transitions).toEqual([
      { at, id: idOf(1), name: 'c1', from: healthy, to: { health: 'unhealthy', status: '' } },
      { at, id: idOf(2), name: 'c2', from: healthy, to: null },
      { at, id: idOf(3), name: 'c3', from: null, to: healthy },
    ])
    expect([isCut, density]).toEqual([false, [{ at: expect.any(Number) as number, count: 3, unhealthy: 1 }]])
    expect(await store.transitions({ ...query, limit: 1 })).toMatchObject({ isCut: true, transitions: { length: 1 } })
    expect((await store.transitions({ ...query, ids: [idOf(3)] })).transitions).toHaveLength(1)
  })
})

describe('holes', () => {
  it('are named: a recorder that was away, a source that failed, a silence', async () => {
    let recording = await record()
    const first = await recording.see([component(1)])
    await recording.close()
    clock.step(600_000)
    recording = await record()
    const second = await recording.see([component(1)])
    clock.step(20_000)
    recording.fail()
    clock.step(20_000)
    const third = await recording.see([component(1)])
    clock.step(200_000)
    const fourth = await recording.see([component(1)])
    expect(await store.holes(first, fourth, clock.now())).toEqual([
      { from: first, until: second },
      { from: second, until: third },
      { from: third, until: fourth },
    ])
    expect(await store.holes(first + 1_000, first + 2_000, clock.now())).toEqual([{ from: first, until: second }])
    // Nobody has looked since: it is still open.
    expect(await store.holes(fourth, fourth + 300_000, fourth + 300_000)).toEqual([{ from: fourth, until: null }])
  })

  it('are none while it is read again and again', async () => {
    const recording = await record()
    const from = await recording.see([component(1)])
    for (let read = 0; read < 4; read++) {
      clock.step(40_000)
      await recording.see([component(1)])
    }
    expect(await store.holes(from, clock.now(), clock.now())).toEqual([])
  })
})

describe('of several gateways', () => {
  it('one records, and another goes on when its connection is lost', async () => {
    const recording = await record()
    await recording.see([component(1)])
    let isNext = false
    const second = record().finally(() => {
      isNext = true
    })
    await clock.advance(10_000)
    const locks = `select pid from pg_locks where locktype = 'advisory' and objid = 7461311
      and database = (select oid from pg_database where datname = current_database())`
    const { rows } = await database.pool.query<{ pid: number }>(locks)
    expect(rows).toHaveLength(1)
    await database.pool.query('select pg_terminate_backend($1)', [rows[0]?.pid])
    await recording.close()
    await eventually(async () => {
      await clock.advance(2_000)
      expect(isNext).toBe(true)
    }, WITHIN)
    expect((await database.pool.query(locks)).rows).toHaveLength(1)
    await (await second).see([component(1, { health: 'unhealthy' })])
    expect((await store.estateAt(clock.now()))?.get(idOf(1))?.state.health).toBe('unhealthy')
  })
})

describe('retention', () => {
  const HOURS = 30

  async function fill(retention: Retention): Promise<number> {
    const recording = await record(retention)
    const first = await recording.see([component(1), component(2), component(3)])
    for (let hour = 1; hour < HOURS; hour++) {
      clock.step(20 * 60_000)
      await clock.advance(40 * 60_000)
      await recording.see([
        component(1, { health: hour % 2 ? 'unhealthy' : 'healthy', text: `name ${hour}` }),
        component(2),
        ...(hour < 5 ? [component(3)] : []),
      ])
    }
    clock.step(10_000)
    await recording.see([component(1)])
    return first
  }

  it('takes away what is older, and keeps what leads to the rest', async () => {
    await fill({ keepMs: 10 * HOUR_MS, maxBytes: 2 ** 40 })
    const since = await store.recordedSince()
    expect(since).toBeGreaterThanOrEqual(clock.now() - 12 * HOUR_MS)
    expect(since).toBeLessThanOrEqual(clock.now() - 9 * HOUR_MS)
    const first = await store.estateAt(since ?? 0)
    expect([...(first?.keys() ?? [])].toSorted()).toEqual([idOf(1), idOf(2)])
    expect(await store.estateAt((since ?? 0) - 1)).toBeNull()
    const { rows } = await database.pool.query(`select from watchroom.topology_structure where component_id = $1`, [
      idOf(3),
    ])
    expect(rows).toHaveLength(0)
  })

  it('takes longer than any other statement may, where there is much to take away', async () => {
    const first = await fill(FOREVER)
    const bounded = new Pool({ connectionString: database.databaseUrl, ...statementDeadline(10_000) })
    const holder = await database.pool.connect()
    const client = await bounded.connect()
    try {
      await holder.query('begin; select from watchroom.topology_checkpoint for update')
      let isOver = false
      const dropped = dropOldHistory(client, clock.now(), { keepMs: 10 * HOUR_MS, maxBytes: 2 ** 40 }).finally(() => {
        isOver = true
      })
      await eventually(async () => {
        const { rows } = await database.pool.query(
          `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
         and clock_timestamp() - query_start > interval '10.2 seconds'`,
        )
        expect(isOver || rows.length > 0).toBe(true)
      }, WITHIN)
      await holder.query('rollback')
      await dropped
      expect(await store.recordedSince()).toBeGreaterThan(first)
    } finally {
      holder.release(true)
      client.release(true)
      await bounded.end()
    }
  })

  it('takes away as many hours as are too much', async () => {
    const first = await fill({ keepMs: 100 * HOUR_MS, maxBytes: 5_000 })
    expect(await store.recordedSince()).toBeGreaterThan(first)
    const { rows } = await database.pool.query<{ bytes: string }>(
      'select sum(bytes) as bytes from watchroom.topology_history_hour',
    )
    expect(Number(rows[0]?.bytes)).toBeLessThanOrEqual(6_000)
    expect((await store.estateAt(clock.now()))?.get(idOf(1))?.state.health).toBe('healthy')
  })
})
