// Two gateways on one real database, of which only the look for one another is started.
import { afterEach, beforeEach, expect, it } from 'vitest'

import { startTestDatabase, type TestDatabase } from '#support/database.ts'
import { eventually } from '#support/eventually.ts'
import { FakeClock } from '#support/fakeClock.ts'

import { createOnlyGateway, type OnlyGateway } from '../../../gateway/src/app/createOnlyGateway.ts'
import { createLogger } from '../../../gateway/src/platform/logger.ts'
import { createMetrics, type Metrics } from '../../../gateway/src/platform/metrics.ts'

const ALONE = { isReady: true, state: 'no other gateway works on this database' }
const ANOTHER = { isReady: false, state: 'another gateway works on this database' }

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

function start(): Started {
  const told: string[] = []
  const metrics = createMetrics({ process: false })
  const destination = { write: (line: string) => void told.push((JSON.parse(line) as { msg: string }).msg) }
  const gateway = createOnlyGateway({
    pool: () => database.pool,
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
  expect(second.told).toEqual(['another gateway works on this database: stop one of them'])
  await first.gateway.close()
  await untilIs(second, ALONE)
  await isMeasured(second, 0)
  expect(second.told).toEqual([
    'another gateway works on this database: stop one of them',
    'no other gateway works on this database any more',
  ])
  expect(first.told).toEqual([])
  await second.gateway.close()
  expect(clock.pending).toBe(0)
})

it('looks again when its connection was lost, and takes no one for another meanwhile', async () => {
  const only = start()
  await untilIs(only, ALONE)
  await database.pool.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`,
  )
  await eventually(() => expect(only.gateway.check()).toEqual({ isReady: false, state: 'not known yet' }))
  await isMeasured(only, 0)
  await untilIs(only, ALONE)
})
