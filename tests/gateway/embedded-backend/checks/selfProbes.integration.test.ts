import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { AUTHENTICATOR_ROLE } from '@watchroom/shared/access'
import { SELF_PROBES } from '@watchroom/shared/health/check-types'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'

import { startTestDatabase, TEST_AUTHENTICATOR_PASSWORD, type TestDatabase } from '#support/database.ts'
import { buildRunDeps, silentLogger } from '#support/runDeps.ts'

import { runCheck } from '../../../../gateway/src/check-runner/runCheck.ts'
import {
  createSelfProbes,
  findDiskFault,
  type SelfProbeRegistry,
} from '../../../../gateway/src/embedded-backend/checks/selfProbes.ts'
import { createPostgrest, type Postgrest } from '../../../../gateway/src/embedded-backend/postgrest/createPostgrest.ts'
import { systemClock } from '../../../../gateway/src/platform/clock.ts'

const { signal } = new AbortController()

let database: TestDatabase
let postgrest: Postgrest
let dataDirectory: string
let registry: SelfProbeRegistry

beforeAll(async () => {
  dataDirectory = await mkdtemp(join(tmpdir(), 'watchroom-probes-'))
  database = await startTestDatabase()
  const credentials = `//${AUTHENTICATOR_ROLE}:${TEST_AUTHENTICATOR_PASSWORD}@`
  const databaseUrl = database.databaseUrl.replace(/\/\/[^@]*@/, credentials)
  postgrest = createPostgrest(
    { databaseUrl, jwtSecret: 'a secret that is long enough for HS256' },
    { clock: systemClock, logger: silentLogger },
  )
  await postgrest.start()
  registry = createSelfProbes({
    clock: systemClock,
    dataDirectory,
    pool: database.pool,
    scheduler: () => ({ late: 0, oldestWaitMs: 0 }),
    postgrestSocketPath: () => postgrest.socketPath(),
    version: '1.2.3',
  })
})

afterAll(async () => {
  registry.close()
  await postgrest.close()
  await database.stop()
  await rm(dataDirectory, { recursive: true, force: true })
})

describe('self probes', () => {
  const alwaysTrue = SELF_PROBES.filter((name) => name !== 'disk-free' && name !== 'event-loop-delay')

  it.each(alwaysTrue)('%s passes as a check on a product in good health', async (probe) => {
    const check = { type: 'self' as const, name: probe, timeoutMs: 10_000, spec: { probe } }
    // Some judge how long something took, and the machine may stand still in the middle of it.
    await expect
      .poll(() => runCheck(check, buildRunDeps({ selfProbes: registry.probes })))
      .toMatchObject({
        passed: true,
        message: expect.stringMatching(/./) as string,
        durationMs: expect.any(Number) as number,
      })
  })

  it('cannot be asked where the product is not at hand', async () => {
    const check = { type: 'self' as const, name: 'a', timeoutMs: 1_000, spec: { probe: 'disk-free' as const } }
    expect(await runCheck(check, buildRunDeps())).toMatchObject({ passed: false, invalid: true })
  })

  it('disk-free judges the numbers of the real file system', async () => {
    const { passed, details } = await registry.probes['disk-free'](signal)
    const { freeBytes, freeShare } = details as { freeBytes: number; freeShare: number }
    expect(freeShare).toBeGreaterThan(0)
    expect(freeShare).toBeLessThanOrEqual(1)
    expect(passed).toBe(findDiskFault(freeBytes, freeShare).length === 0)
  })

  it('store-writable leaves no file behind', async () => {
    await registry.probes['store-writable'](signal)
    expect(await readdir(dataDirectory)).toEqual([])
  })

  it('event-loop-delay notices a blocked event loop, and forgets it afterwards', async () => {
    const probe = registry.probes['event-loop-delay']
    const turn = () => new Promise((resolve) => setTimeout(resolve, 40))
    await probe(signal)
    await turn()
    const until = performance.now() + 250
    while (performance.now() < until);
    await turn()
    const blocked = await probe(signal)
    expect(blocked).toMatchObject({ passed: false, error: expect.stringContaining('the event loop was') as string })
    expect(blocked.durationMs).toBeGreaterThan(200)
    await turn()
    await turn()
    await expect.poll(async () => (await probe(signal)).durationMs).toBeLessThan(blocked.durationMs)
  })

  it('database-append fails without a database', async () => {
    const probes = createSelfProbes({
      clock: systemClock,
      dataDirectory,
      pool: { query: () => Promise.reject(new Error('connection refused')) },
      scheduler: () => ({ late: 0, oldestWaitMs: 0 }),
      postgrestSocketPath: () => join(dataDirectory, 'no-socket'),
      version: '1.2.3',
    })
    expect(await probes.probes['database-append'](signal)).toMatchObject({ passed: false, error: 'connection refused' })
    expect(await probes.probes.postgrest(signal)).toMatchObject({ passed: false, error: 'not found' })
    probes.close()
  })

  describe('event-queue-depth', () => {
    beforeEach(async () => {
      await database.pool.query('truncate event_queue')
    })

    const raise = (count: number, fields: { ageS?: number; attempts?: number; delayS?: number } = {}) =>
      database.pool.query(
        `insert into event_queue (name, properties, created_at, attempts, delay)
         select 'test', jsonb_build_object('id', n), clock_timestamp() - make_interval(secs => $2), $3, $4
           from generate_series(1, $1::int) n`,
        [count, fields.ageS ?? 0, fields.attempts ?? 0, (fields.delayS ?? 0) * 1e9],
      )

    it('passes at the limit', async () => {
      await raise(1_000)
      const outcome = await registry.probes['event-queue-depth'](signal)
      expect(outcome).toMatchObject({ passed: true, details: { pending: 1_000 } })
    })

    it('fails above it', async () => {
      await raise(1_001)
      const outcome = await registry.probes['event-queue-depth'](signal)
      expect(outcome.error).toBe('1001 events wait, more than 1000')
    })

    it('fails when one waits too long', async () => {
      await raise(1, { ageS: 120 })
      const outcome = await registry.probes['event-queue-depth'](signal)
      expect(outcome.error).toBe('the oldest event has waited 2m')
    })

    it.each([
      ['was tried in vain', { ageS: 120, attempts: 4 }],
      ['is not due yet', { ageS: 120, delayS: 300 }],
    ])('does not count an event that %s', async (_what, fields) => {
      await raise(1, fields)
      const outcome = await registry.probes['event-queue-depth'](signal)
      expect(outcome).toMatchObject({ passed: true, details: { pending: 0 } })
    })
  })

  describe('notification-outbox', () => {
    beforeEach(async () => {
      await database.pool.query('truncate event_queue, notifications cascade')
    })

    const queue = (name: string, fields: { error?: string; ageMinutes?: number }) =>
      database.pool.query(
        `insert into event_queue (name, properties, error, attempts, last_attempt)
         values ($1, '{"mail": "1"}', $2, 1, now() - make_interval(mins => $3))`,
        [name, fields.error, fields.ageMinutes ?? 1],
      )
    const send = (status: string, error: string | null) =>
      database.pool.query(
        `with rule as (insert into notifications (title, events, source) values ('Rule', '{check.failed}', 'UI') returning id)
         insert into notification_send_history (notification_id, source_event, resource_id, status, error)
         select id, 'check.failed', gen_random_uuid(), $1, $2 from rule`,
        [status, error],
      )
    const look = () => registry.probes['notification-outbox'](signal)

    it('fails while a mail is refused, before it is given up, and keeps to itself whose', async () => {
      await queue('mail.send', { error: 'ada@test.local is refused' })
      expect(await look()).toMatchObject({ passed: false, error: '1 mail failed in the last 15 minutes' })
    })

    it('fails when a notification could not be sent', async () => {
      await send('error', 'connection refused')
      await send('sent', null)
      expect(await look()).toMatchObject({ passed: false, error: '1 notification failed in the last 15 minutes' })
    })

    it('counts no message that someone took instead', async () => {
      await send('error', 'connection refused')
      await database.pool.query(
        `update notification_send_history set transition = gen_random_uuid();
         insert into notification_send_history (notification_id, source_event, resource_id, status, transition, is_fallback, connection_id)
         select notification_id, source_event, resource_id, 'error', transition, true, gen_random_uuid() from notification_send_history`,
      )
      expect(await look()).toMatchObject({ passed: false, details: { notifications: 2 } })
      await database.pool.query(`update notification_send_history set status = 'fallback' where is_fallback`)
      expect(await look()).toMatchObject({ passed: true, details: { notifications: 0 } })
    })

    it.each([
      ['an old failure', 'mail.send', { error: 'refused', ageMinutes: 16 }],
      ['other events', 'check.failed', { error: 'refused' }],
      ['a mail on its way', 'mail.send', {}],
    ])('passes with %s', async (_what, name, fields) => {
      await queue(name, fields)
      expect(await look()).toMatchObject({ passed: true, message: 'nothing failed in the last 15 minutes' })
    })
  })
})
