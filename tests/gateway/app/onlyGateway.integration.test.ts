// Two gateways on one real database, of which only the look for one another is started.
import { Pool } from 'pg'
import { afterEach, beforeEach, expect, it, onTestFinished } from 'vitest'

import { startTestDatabase, type TestDatabase } from '#support/database.ts'
import { eventually } from '#support/eventually.ts'
import { FakeClock } from '#support/fakeClock.ts'
import { relayDatabase } from '#support/tcpRelay.ts'

import { createOnlyGateway, type OnlyGateway } from '../../../gateway/src/app/createOnlyGateway.ts'
import { ADVISORY_LOCKS } from '../../../gateway/src/platform/database/advisoryLocks.ts'
import { createLogger } from '../../../gateway/src/platform/logger.ts'
import { createMetrics, type Metrics } from '../../../gateway/src/platform/metrics.ts'

const UNKNOWN = { isReady: false, state: 'not known yet' }
const ALONE = { isReady: true, state: 'no other gateway works on this database' }
const ANOTHER = { isReady: false, state: 'another gateway works on this database' }
const WARNING = 'another gateway works on this database: stop one of them'

interface Started {
  readonly gateway: OnlyGateway
  readonly metrics: Metrics
  /** What an operator reads in the log. */
  readonly told: string[]
}

let clock: FakeClock
let database: TestDatabase
const started: Started[] = []

beforeEach(async () => {
  clock = new FakeClock()
  database = await startTestDatabase()
})

afterEach(async () => {
  for (const { gateway } of started.splice(0)) await gateway.close()
  await database.stop()
})

function start(pool = database.pool): Started {
  const told: string[] = []
  const metrics = createMetrics({ process: false })
  const destination = { write: (line: string) => void told.push((JSON.parse(line) as { msg: string }).msg) }
  const gateway = createOnlyGateway({
    pool: () => pool,
    clock,
    logger: createLogger({ level: 'info', destination }),
    metrics,
  })
  const one = { gateway, metrics, told }
  started.push(one)
  return one
}

/** Time passes until it is so: the database answers in its own. */
const untilIs = ({ gateway }: Started, state: object): Promise<void> =>
  eventually(async () => {
    await clock.advance(1_000)
    expect(gateway.check()).toEqual(state)
  })

/** Ends every session in the server but that of the one who asks. */
const endSessions = () =>
  database.pool.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`,
  )

const isMeasured = async ({ metrics }: Started, value: 0 | 1): Promise<void> =>
  expect(await metrics.render()).toContain(`watchroom_other_gateway ${value}\n`)

it('says that another gateway works on the database, and when it is gone', async () => {
  const first = start()
  await untilIs(first, ALONE)
  const second = start()
  await untilIs(second, ANOTHER)
  await clock.advance(60_000)
  await isMeasured(second, 1)
  await isMeasured(first, 0)
  expect(first.gateway.check()).toEqual(ALONE)
  expect(second.told).toEqual([WARNING])
  await first.gateway.close()
  await untilIs(second, ALONE)
  await isMeasured(second, 0)
  expect(second.told).toEqual([WARNING, 'no other gateway works on this database any more'])
  expect(first.told).toEqual([])
  await second.gateway.close()
  expect(clock.pending).toBe(0)
})

it('looks again when its connection was lost, and takes no one for another meanwhile', async () => {
  const only = start()
  await untilIs(only, ALONE)
  await endSessions()
  await eventually(() => expect(only.gateway.check()).toEqual(UNKNOWN))
  await isMeasured(only, 0)
  await untilIs(only, ALONE)
})

it('takes no one for another while the server still keeps its former session', async () => {
  const relay = await relayDatabase(database)
  onTestFinished(() => relay.close())
  const pool = new Pool({ connectionString: relay.url, query_timeout: 500 })
  const only = start(pool)
  await untilIs(only, ALONE)
  // A look is never answered, and the server hears nothing of that.
  relay.forget()
  await clock.advance(15_000)
  await eventually(() => expect(only.gateway.check()).toEqual(UNKNOWN))
  const before = relay.bytesToClient()
  for (let look = 0; look < 15; look += 1) {
    // The next look is set once the one before has its answer.
    await eventually(() => expect(clock.pending).toBe(1))
    expect(only.gateway.check()).toEqual(UNKNOWN)
    await clock.advance(2_000)
  }
  await eventually(() => expect(clock.pending).toBe(1))
  expect(only.gateway.check()).toEqual(UNKNOWN)
  expect(relay.bytesToClient()).toBeGreaterThan(before)
  await isMeasured(only, 0)
  expect(only.told).not.toContain(WARNING)
  await endSessions()
  await untilIs(only, ALONE)
})

it('tells of another that came while it had no connection, once its own session must be over', async () => {
  const only = start()
  await untilIs(only, ALONE)
  await endSessions()
  const other = await database.pool.connect()
  try {
    await other.query('select pg_advisory_lock($1)', [ADVISORY_LOCKS.onlyGateway])
    await eventually(() => expect(only.gateway.check()).toEqual(UNKNOWN))
    await clock.advance(70_000)
    expect(only.told).not.toContain(WARNING)
    await untilIs(only, ANOTHER)
    expect(only.told).toContain(WARNING)
  } finally {
    other.release(true)
  }
})
