import { pino } from 'pino'
import { afterAll, beforeAll, expect, it } from 'vitest'

import { startTestDatabase, type TestDatabase } from '#support/database.ts'

import {
  createResultStore,
  type ResultStore,
} from '../../../../gateway/src/embedded-backend/checks/createResultStore.ts'
import { systemClock } from '../../../../gateway/src/platform/clock.ts'

const START = Date.parse('2026-01-01T10:00:00.250Z')

let database: TestDatabase
let store: ResultStore
let checkId: string

beforeAll(async () => {
  database = await startTestDatabase()
  const { rows } = await database.pool.query<{ id: string }>(
    `with canary as (insert into canaries (name, namespace, spec) values ('c', 'x', '{}') returning id)
     insert into checks (canary_id, type, name) select id, 'http', 'a' from canary returning id`,
  )
  checkId = rows[0]?.id ?? ''
  store = createResultStore({
    pool: database.pool,
    clock: systemClock,
    logger: pino({ level: 'silent' }),
    random: Math.random,
    onStored: () => undefined,
  })
})
afterAll(async () => {
  await store.close()
  await database.stop()
})

/** Results of one batch: seconds after the start, and whether they passed. */
async function add(...runs: readonly (readonly [number, boolean])[]): Promise<string | undefined> {
  for (const [second, passed] of runs) {
    store.add({
      checkId,
      startedAt: START + second * 1_000,
      durationMs: 5,
      passed,
      isInvalid: false,
      message: null,
      error: null,
      details: { 'odd\0key': 'odd\0' },
      severity: null,
      nextRuntimeAt: null,
    })
  }
  await store.flushed()
  const { rows } = await database.pool.query<{ last_transition_time: Date }>(
    'select last_transition_time from checks where id = $1',
    [checkId],
  )
  return rows[0]?.last_transition_time.toISOString()
}

it('has a check change at the start of the run that says so, however late that is stored', async () => {
  expect(await add([0, true])).toBe('2026-01-01T10:00:00.250Z')
  expect(await add([1, true], [2, true])).toBe('2026-01-01T10:00:00.250Z')
  expect(await add([3, true], [4, false], [5, false])).toBe('2026-01-01T10:00:04.250Z')
  // Down and up again within one batch is a change too, though the word before and after is the same.
  expect(await add([6, true], [7, false])).toBe('2026-01-01T10:00:07.250Z')
  expect(await add([8, false])).toBe('2026-01-01T10:00:07.250Z')
})

it('stores what a program says in the keys of its details', async () => {
  const { rows } = await database.pool.query('select details from check_statuses where check_id = $1 limit 1', [
    checkId,
  ])
  expect(rows).toEqual([{ details: { oddkey: 'odd' } }])
})

it('lets a status that someone sets by hand change now', async () => {
  await database.pool.query(`update checks set status = 'healthy' where id = $1`, [checkId])
  const { rows } = await database.pool.query(
    `select last_transition_time > now() - interval '1 minute' as is_now from checks where id = $1`,
    [checkId],
  )
  expect(rows).toEqual([{ is_now: true }])
})
