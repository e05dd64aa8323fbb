import type { Clock } from '@watchroom/shared/kernel'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { startTestDatabase, type TestDatabase } from '#support/database.ts'
import { FakeClock } from '#support/fakeClock.ts'

import {
  type Courier,
  createEventConsumer,
  type EventConsumer,
  type EventHandler,
  type QueuedEvent,
} from '../../../../gateway/src/embedded-backend/jobs/createEventConsumer.ts'
import { systemClock } from '../../../../gateway/src/platform/clock.ts'

let database: TestDatabase
let consumer: EventConsumer

beforeEach(async () => {
  database = await startTestDatabase()
})
afterEach(async () => {
  await consumer.close()
  await database.stop()
})

function start(
  handlers: Record<string, EventHandler> = {},
  couriers: Record<string, Courier> = {},
  clock: Clock = systemClock,
): void {
  consumer = createEventConsumer({
    pool: database.pool,
    channels: database.channels,
    clock,
    logger: pino({ level: 'silent' }),
    handlers: new Map(Object.entries(handlers)),
    couriers: new Map(Object.entries(couriers)),
  })
  consumer.start()
}

const raise = (name: string, properties: Record<string, string>, more = ''): Promise<unknown> =>
  database.pool.query(`insert into event_queue (name, properties) values ($1, $2)${more}`, [
    name,
    JSON.stringify(properties),
  ])

const waiting = async (): Promise<unknown[]> =>
  (await database.pool.query('select name, attempts, error from event_queue order by name')).rows

describe('createEventConsumer', () => {
  it('gives an event to its handler once, and drops what nobody handles', async () => {
    const seen: Omit<QueuedEvent, 'id'>[] = []
    start({
      'check.failed': async ({ name, properties }) => {
        seen.push({ name, properties })
      },
    })
    await raise('check.failed', { id: 'a' })
    await raise('check.passed', { id: 'b' })
    await expect.poll(() => seen).toEqual([{ name: 'check.failed', properties: { id: 'a' } }])
    await expect.poll(waiting).toEqual([])
    expect(seen).toHaveLength(1)
  })

  it('takes what was there before it started, more than one batch of it', async () => {
    await database.pool.query(
      `insert into event_queue (name, properties) select 'old', jsonb_build_object('id', n) from generate_series(1, 350) n`,
    )
    start()
    await expect.poll(waiting).toEqual([])
  })

  it('keeps an event whose handler failed, with the reason, and goes on with the others', async () => {
    const seen: string[] = []
    start({
      bad: () => Promise.reject(new Error('mail server away')),
      good: async ({ properties }) => {
        seen.push(properties['id'] ?? '')
      },
    })
    await raise('bad', { id: '1' })
    await raise('good', { id: '2' })
    await expect.poll(() => seen).toEqual(['2'])
    await expect.poll(waiting).toEqual([{ name: 'bad', attempts: 1, error: 'mail server away' }])
  })

  it('leaves events that are delayed, that wait for their retry, and that failed too often', async () => {
    await database.pool.query(`insert into event_queue (name, properties, delay, attempts, last_attempt) values
      ('delayed', '{}', 60000000000, 0, null),
      ('retry due', '{}', null, 1, now() - interval '61 seconds'),
      ('retry later', '{}', null, 2, now() - interval '61 seconds'),
      ('failed too often', '{}', null, 4, now() - interval '1 year')`)
    start()
    await expect
      .poll(async () => (await waiting()).map((row) => (row as { name: string }).name))
      .toEqual(['delayed', 'failed too often', 'retry later'])
  })

  it('gives an event that is raised again while a courier has it to the courier again', async () => {
    const raised = () =>
      database.pool.query(
        `select watchroom_internal.emit_event('mail', '{"id": "a"}'), pg_notify('event_queue_updates', 'mail')`,
      )
    let calls = 0
    const handle = async (): Promise<void> => {
      calls += 1
      if (calls === 1) await raised()
    }
    start({}, { mail: { retryAfterS: [60], handle } })
    await raised()
    await expect.poll(() => calls).toBe(2)
    await expect.poll(waiting).toEqual([])
  })

  it('leaves what a courier had when the program died to the next one, after the first wait', async () => {
    await database.pool.query(`insert into event_queue (name, properties, attempts, last_attempt) values
      ('mail', '{"id": "due"}', 1, now() - interval '61 seconds'),
      ('mail', '{"id": "early"}', 1, now() - interval '30 seconds'),
      ('mail', '{"id": "given up"}', 2, now() - interval '1 year')`)
    const seen: string[] = []
    const handle: EventHandler = async ({ properties }) => void seen.push(properties['id'] ?? '')
    start({}, { mail: { retryAfterS: [60], handle } })
    await expect.poll(async () => (await waiting()).length).toBe(2)
    expect(seen).toEqual(['due'])
  })

  it('hands a courier its first event at once, also right after another event', async () => {
    const clock = new FakeClock()
    const seen: string[] = []
    const remember: EventHandler = async ({ name }) => void seen.push(name)
    start({ 'check.failed': remember }, { mail: { retryAfterS: [60], handle: remember } }, clock)
    const pass = async (name: string): Promise<void> => {
      await raise(name, { id: 'a' })
      await expect
        .poll(async () => {
          await clock.advance(0)
          return seen
        })
        .toContain(name)
    }
    // Every lane looks when the line is open: until then, nothing waits for the clock.
    await expect.poll(() => clock.pending).toBe(2)
    await clock.advance(0)
    await expect.poll(() => clock.pending).toBe(2)
    await clock.advance(1_000)
    await pass('check.failed')
    await pass('mail')
  })

  it('takes what fails before what a scrape found, however much that is', async () => {
    const seen: string[] = []
    const emit = (name: string, id: string): Promise<unknown> =>
      database.pool.query('select watchroom_internal.emit_event($1, $2)', [name, JSON.stringify({ id })])
    await database.pool.query(
      `select watchroom_internal.emit_event('config.created', jsonb_build_object('id', n)) from generate_series(1, 200) as n`,
    )
    start({
      'config.created': async ({ name }) => {
        seen.push(name)
        if (seen.length === 1) await emit('check.failed', 'a')
      },
      'check.failed': async ({ name }) => void seen.push(name),
    })
    await expect.poll(waiting).toEqual([])
    expect(seen).toHaveLength(201)
    expect(seen.indexOf('check.failed')).toBeLessThan(25)
  })

  it('gives what a scrape found no more urgency for having failed', async () => {
    start({ 'config.created': () => Promise.reject(new Error('not now')) })
    await database.pool.query(`select watchroom_internal.emit_event('config.created', '{"id": "a"}')`)
    await expect.poll(waiting).toMatchObject([{ attempts: 1 }])
    const { rows } = await database.pool.query('select priority from event_queue')
    expect(rows).toEqual([{ priority: 50 }])
  })

  it('hands a courier many events at once where it takes them so, and one alone where there is one', async () => {
    const calls: number[] = []
    const courier: Courier = {
      retryAfterS: [60],
      handle: async () => void calls.push(1),
      together: { most: 100, handle: async (events) => void calls.push(new Set(events.map(({ id }) => id)).size) },
    }
    await database.pool.query(
      `insert into event_queue (name, properties) select 'mail', jsonb_build_object('id', n) from generate_series(1, 101) n`,
    )
    start({}, { mail: courier })
    await expect.poll(waiting).toEqual([])
    expect(calls).toEqual([100, 1])
  })

  it('hands over each event alone when they fail together, and keeps only those that fail then', async () => {
    const seen: string[] = []
    const courier: Courier = {
      retryAfterS: [60],
      handle: async ({ properties }) => {
        if (properties['id'] === '2') throw new Error('not this one')
        seen.push(properties['id'] ?? '')
      },
      together: { most: 100, handle: () => Promise.reject(new Error('not together')) },
    }
    await database.pool.query(
      `insert into event_queue (name, properties) select 'mail', jsonb_build_object('id', n::text) from generate_series(1, 6) n`,
    )
    start({}, { mail: courier })
    await expect.poll(waiting).toEqual([{ name: 'mail', attempts: 1, error: 'not this one' }])
    expect(seen.toSorted()).toEqual(['1', '3', '4', '5', '6'])
  })
})
