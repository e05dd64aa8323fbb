// Work of the database is counted: who had much of it done waits, and nobody else does. Real PostgreSQL and PostgREST; time is made.
import fastify, { type FastifyInstance } from 'fastify'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { startTestDatabase, type TestDatabase } from '#support/database.ts'
import { FakeClock } from '#support/fakeClock.ts'
import { startTestPostgrest, type TestPostgrest } from '#support/postgrest.ts'

import { CALL_SLOTS, databaseRoutes } from '../../../../gateway/src/embedded-backend/server/databaseRoutes.ts'

let database: TestDatabase
let postgrest: TestPostgrest
let clock: FakeClock
let app: FastifyInstance
let url: string

beforeEach(async () => {
  database = await startTestDatabase()
  postgrest = await startTestPostgrest(database)
  clock = new FakeClock()
  // PostgREST judges tokens by the real time.
  const { monotonic, schedule } = clock
  app = fastify()
  app.decorateRequest('principal', null)
  app.addHook('onRequest', async (request) => {
    const id = String(request.headers['x-person'])
    request.principal = {
      kind: 'person',
      id,
      email: `${id}@example.com`,
      name: id,
      roles: ['viewer'],
      roleNames: ['viewer'],
    }
  })
  await app.register(databaseRoutes, {
    context: { pool: database.pool, clock: { monotonic, schedule, now: Date.now }, logger: pino({ level: 'silent' }) },
    postgrestSocket: postgrest.socketPath,
    jwtSecret: postgrest.jwtSecret,
    rowJudges: new Map(),
  })
  url = await app.listen({ host: '127.0.0.1', port: 0 })
})

afterEach(async () => {
  await app.close()
  await postgrest.stop()
  await database.stop()
})

const GREEDY = '00000000-0000-4000-8000-000000000001'
const OTHER = '00000000-0000-4000-8000-000000000002'

const read = (person: string): Promise<Response> =>
  fetch(`${url}/db/incidents?select=id&limit=1`, { headers: { 'x-person': person } })

/** One read of this person, during which the database works for this long. */
async function readFor(person: string, durationMs: number): Promise<Response> {
  const lock = await database.pool.connect()
  await lock.query('begin')
  await lock.query('lock table incidents in access exclusive mode')
  const answer = read(person)
  const isWaiting = async (): Promise<boolean> => {
    const { rows } = await database.pool.query(
      `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    )
    return rows.length > 0
  }
  await expect.poll(isWaiting).toBe(true)
  await clock.advance(durationMs)
  await lock.query('rollback')
  lock.release()
  return answer
}

/** More than anyone has at once, on however busy a machine. */
const LONG_MS = 10_000_000
describe('the database', () => {
  it('lets whoever had it work for long wait until they made up for it, and nobody else', async () => {
    expect((await readFor(GREEDY, LONG_MS)).status).toBe(200)

    const next = read(GREEDY)
    await expect.poll(() => clock.pending).toBeGreaterThan(0)
    expect((await read(OTHER)).status).toBe(200)
    await clock.advance(CALL_SLOTS.maxWaitMs)
    const refused = await next
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1'])
    expect(await refused.json()).toEqual({ error: expect.stringMatching(/too many calls/) })

    // A tenth of a core.
    await clock.advance(LONG_MS * 10)
    expect((await read(GREEDY)).status).toBe(200)
  })

  it('works at once, again and again, for those who ask for little', async () => {
    for (let index = 0; index < 50; index++) expect((await read(GREEDY)).status).toBe(200)
    expect(clock.pending).toBe(0)
  })
})
