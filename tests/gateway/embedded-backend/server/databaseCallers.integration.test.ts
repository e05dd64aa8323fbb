// Callers who leave before the database is asked: nothing is done for them, and nothing is kept. Real PostgreSQL and PostgREST.
import { once } from 'node:events'
import { request as ask } from 'node:http'

import fastify, { type FastifyInstance } from 'fastify'
import { pino } from 'pino'
import { afterEach, beforeEach, expect, it } from 'vitest'

import { startTestDatabase, type TestDatabase } from '#support/database.ts'
import { eventually } from '#support/eventually.ts'
import { FakeClock } from '#support/fakeClock.ts'
import { startTestPostgrest, type TestPostgrest } from '#support/postgrest.ts'

import { CALL_SLOTS, databaseRoutes } from '../../../../gateway/src/embedded-backend/server/databaseRoutes.ts'

const PERSON = '00000000-0000-4000-8000-000000000001'

let database: TestDatabase
let postgrest: TestPostgrest
let clock: FakeClock
let app: FastifyInstance
let url: string
/** Calls whose row is being judged, and those that were answered, whether someone was there or not. */
let judged: number
let answered: number
/** Set: a row is judged until whoever sent it has left. */
let isHeld: boolean
/** Resolves when the last caller has left. */
let left: Promise<unknown>

beforeEach(async () => {
  database = await startTestDatabase()
  postgrest = await startTestPostgrest(database)
  clock = new FakeClock()
  judged = 0
  answered = 0
  isHeld = true
  // PostgREST judges tokens by the real time.
  const { monotonic, schedule } = clock
  app = fastify()
  app.decorateRequest('principal', null)
  app.addHook('onRequest', async (request, reply) => {
    left = once(reply.raw, 'close')
    request.principal = {
      kind: 'person',
      id: PERSON,
      email: 'a@example.com',
      name: 'A',
      roles: ['editor'],
      roleNames: ['editor'],
    }
  })
  app.addHook('onSend', async () => {
    answered += 1
  })
  await app.register(databaseRoutes, {
    context: { pool: database.pool, clock: { monotonic, schedule, now: Date.now }, logger: pino({ level: 'silent' }) },
    postgrestSocket: postgrest.socketPath,
    jwtSecret: postgrest.jwtSecret,
    rowJudges: new Map([
      [
        'canaries',
        async () => {
          judged += 1
          if (isHeld) await left
          return null
        },
      ],
    ]),
  })
  url = await app.listen({ host: '127.0.0.1', port: 0 })
})

afterEach(async () => {
  await app.close()
  await postgrest.stop()
  await database.stop()
})

const write = (name: string) => {
  const call = ask(`${url}/db/canaries`, { method: 'POST', headers: { 'content-type': 'application/json' } })
  call.on('error', () => undefined)
  call.end(JSON.stringify({ name, namespace: 'default', source: 'UI', spec: { http: [] } }))
  return call
}

it('writes nothing for callers who left while their row was judged, and keeps none of their places', async () => {
  // More than one caller may have at once.
  const leavers = CALL_SLOTS.perCaller + 1
  for (let count = 1; count <= leavers; count++) {
    const call = write(`left-${count}`)
    await eventually(() => expect(judged).toBe(count))
    call.destroy()
    await eventually(() => expect(answered).toBe(count))
  }
  isHeld = false
  const stays = write('stayed')
  const [response] = (await once(stays, 'response')) as [{ statusCode: number }]
  expect(response.statusCode).toBe(201)
  const { rows } = await database.pool.query('select name from canaries')
  expect(rows).toEqual([{ name: 'stayed' }])
})

it.each(['text/csv', 'application/x-www-form-urlencoded'])('takes no %s for rows that are judged', async (type) => {
  const call = ask(`${url}/db/canaries`, { method: 'POST', headers: { 'content-type': type } })
  call.end('name,namespace,source\nunjudged,default,UI\n')
  const [response] = (await once(call, 'response')) as [{ statusCode: number }]
  expect(response.statusCode).toBe(415)
  const { rows } = await database.pool.query('select name from canaries')
  expect(rows).toEqual([])
})

it('judges JSON by whichever of its names', async () => {
  isHeld = false
  const type = 'application/vnd.pgrst.object+json; charset=utf-8'
  const call = ask(`${url}/db/canaries`, { method: 'POST', headers: { 'content-type': type } })
  call.end('{"name":"judged"}')
  await once(call, 'response')
  expect(judged).toBe(1)
})
