import { Pool } from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'

import { startEmbeddedBackend, type TestBackend } from '#support/embeddedBackend.ts'
import { signInPerson } from '#support/incidentGateway.ts'

const NAME = 'test.nobody-handles'

let backend: TestBackend
let pool: Pool
let session: string
beforeAll(async () => {
  backend = await startEmbeddedBackend()
  pool = new Pool({ connectionString: backend.databaseUrl })
  ;({ session } = await signInPerson(backend, 'editor'))
})
afterAll(async () => {
  await pool?.end()
  await backend?.stop()
})
beforeEach(() => pool.query('delete from event_queue'))

/** Waits for an hour, so that only someone's word can change it. */
const DELAY_NS = 3_600_000_000_000

async function insertEvent(number: number, error: string | null): Promise<string> {
  const { rows } = await pool.query<{ id: string }>(
    `insert into event_queue (name, properties, error, attempts, last_attempt, delay)
     values ($1, $2, $3, 4, now(), $4) returning id`,
    [NAME, { number }, error, DELAY_NS],
  )
  return rows[0]?.id ?? ''
}
const readEvents = async () =>
  (await pool.query(`select id, error, attempts, last_attempt from event_queue where name = $1 order by id`, [NAME]))
    .rows
const call = (verb: string, body: unknown) =>
  backend.call(`/events/${verb}`, { method: 'POST', body, headers: { cookie: `ory_kratos_session=${session}` } })

describe('a failed event', () => {
  it('is due again from the first attempt and keeps its reason; others are not touched', async () => {
    const id = await insertEvent(1, 'no route to host')
    const waiting = await insertEvent(2, null)
    const answer = await call('retry', { ids: [id, waiting] })
    expect([answer.status, answer.json()]).toEqual([200, { count: 1 }])
    expect(await readEvents()).toEqual([
      { id, error: 'no route to host', attempts: 0, last_attempt: null },
      { id: waiting, error: null, attempts: 4, last_attempt: expect.any(Date) },
    ])
  })

  it('is dropped, and only where it failed', async () => {
    const id = await insertEvent(1, 'no route to host')
    const waiting = await insertEvent(2, null)
    const answer = await call('drop', { ids: [id, waiting] })
    expect([answer.status, answer.json()]).toEqual([200, { count: 1 }])
    expect((await readEvents()).map((event) => event.id)).toEqual([waiting])
    expect((await call('drop', { ids: [id] })).json()).toEqual({ count: 0 })
  })

  it('is handled at once when someone asks for it', async () => {
    const { rows } = await pool.query<{ id: string }>(
      `insert into event_queue (name, properties, error, attempts, last_attempt)
       values ($1, '{}', 'gave up', 4, now()) returning id`,
      [NAME],
    )
    await call('retry', { ids: [rows[0]?.id] })
    // Nobody handles it, so it is done as soon as it is taken.
    await expect.poll(readEvents).toEqual([])
  })
})

describe('a call', () => {
  it.each([
    [{}, 'ids'],
    [{ ids: [] }, 'This field is required'],
    [{ ids: ['x'] }, 'Must be the id of an event'],
    [{ ids: Array.from({ length: 101 }, () => '018f0000-0000-7000-8000-0000000000e1') }, 'ids'],
    [{ ids: ['018f0000-0000-7000-8000-0000000000e1'], all: true }, 'all'],
  ])('%# that does not say which events is refused with the reason', async (body, reason) => {
    const answer = await call('drop', body)
    expect([answer.status, answer.text]).toEqual([400, expect.stringContaining(reason)])
  })
})
