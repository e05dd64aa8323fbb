import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

import { afterAll, beforeAll, expect, it } from 'vitest'

import { startEmptyTestDatabase, type TestDatabase } from '#support/database.ts'

const MIGRATIONS = fileURLToPath(new URL('../../../../gateway/src/embedded-backend/schema/migrations', import.meta.url))
const NAME = '0040_agent_time.sql'
/** The last that a released version had before it. */
const BEFORE = '0020_local_agent.sql'
const AGENT = '11111111-1111-4111-8111-111111111111'

let database: TestDatabase

const read = (name: string): string => readFileSync(`${MIGRATIONS}/${name}`, 'utf8')

beforeAll(async () => {
  database = await startEmptyTestDatabase()
  for (const name of readdirSync(MIGRATIONS).toSorted()) if (name <= BEFORE) await database.pool.query(read(name))
})
afterAll(() => database.stop())

it('gives pushed results the time that the agent said, and takes away what a stall had stored twice', async () => {
  await database.pool.query(`insert into agents (id, name) values ($1, 'edge')`, [AGENT])
  const { rows } = await database.pool.query<{ own: string; pushed: string }>(
    `with canary as (insert into canaries (name, namespace, spec) values ('c', 'x', '{}') returning id),
       own as (insert into checks (canary_id, type, name) select id, 'http', 'own' from canary returning id),
       pushed as (
         insert into checks (canary_id, type, name, agent_id) select id, 'http', 'pushed', $1 from canary returning id)
     select own.id as own, pushed.id as pushed from own, pushed`,
    [AGENT],
  )
  const [{ own, pushed } = { own: '', pushed: '' }] = rows
  const add = (checkId: string, time: string, clock?: unknown) =>
    database.pool.query(
      `insert into check_statuses (check_id, time, status, duration, details) values ($1, $2, true, 5, $3)`,
      [checkId, time, clock === undefined ? null : JSON.stringify({ agent_clock: clock })],
    )
  await add(own, '2026-01-01T10:00:00Z')
  await add(pushed, '2026-01-01T10:00:00Z')
  // The same run, pushed again after a stall and moved; and one that was moved alone.
  await add(pushed, '2026-01-01T10:00:12Z', { time: '2026-01-01T10:00:00Z', ahead_ms: -12_000 })
  await add(pushed, '2026-01-01T10:01:12Z', { time: '2026-01-01T10:01:00Z', ahead_ms: -12_000 })
  await add(pushed, '2026-01-01T10:02:00Z', { time: 'tea time' })
  await database.pool.query(read(NAME))
  const stored = await database.pool.query<{ time: Date; said: Date | null }>(
    'select time, agent_time as said from check_statuses where check_id = $1 order by time',
    [pushed],
  )
  expect(stored.rows.map(({ time, said }) => [time.toISOString(), said?.toISOString()])).toEqual([
    ['2026-01-01T10:00:00.000Z', '2026-01-01T10:00:00.000Z'],
    ['2026-01-01T10:01:12.000Z', '2026-01-01T10:01:00.000Z'],
    ['2026-01-01T10:02:00.000Z', '2026-01-01T10:02:00.000Z'],
  ])
  const local = await database.pool.query('select agent_time from check_statuses where check_id = $1', [own])
  expect(local.rows).toEqual([{ agent_time: null }])
})
