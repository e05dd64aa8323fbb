import { expect, it, onTestFinished, vi } from 'vitest'

import { startTestDatabase } from '#support/database.ts'

import { systemClock } from '../../../gateway/src/platform/clock.ts'
import { createDatabaseWake } from '../../../gateway/src/platform/databaseWake.ts'
import { createLogger } from '../../../gateway/src/platform/logger.ts'

const until = (assertion: () => void): Promise<void> => vi.waitFor(assertion, { timeout: 10_000, interval: 20 })

function useWake(databaseUrl: () => string | null) {
  const wakes: string[] = []
  let connects = 0
  const wake = createDatabaseWake({
    databaseUrl,
    clock: systemClock,
    random: Math.random,
    logger: createLogger({ level: 'silent' }),
    onWake: (topic) => wakes.push(topic),
    onConnected: () => {
      connects += 1
    },
  })
  onTestFinished(wake.close)
  return { wake, wakes, connects: () => connects }
}

it('hears what the database says, as soon as it says it', async () => {
  const database = await startTestDatabase()
  const { wakes, connects } = useWake(() => database.databaseUrl)
  await until(() => expect(connects()).toBe(1))
  const saidAt = performance.now()
  await database.pool.query(`select pg_notify('watchroom_topic', 'checks')`)
  await until(() => expect(wakes).toEqual(['checks']))
  expect(performance.now() - saidAt).toBeLessThan(1_000)
  await database.stop()
})

it('reconnects when its connection is ended, says so, and hears again', async () => {
  const database = await startTestDatabase()
  const { wake, wakes, connects } = useWake(() => database.databaseUrl)
  await until(() => expect(connects()).toBe(1))
  await database.pool.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'watchroom-wake'`,
  )
  await until(() => expect(connects()).toBe(2))
  expect(wake.isConnected()).toBe(true)
  await database.pool.query(`select pg_notify('watchroom_topic', 'agents')`)
  await until(() => expect(wakes).toEqual(['agents']))
  await database.stop()
})

it('waits for an address, and follows it when it moves', async () => {
  const first = await startTestDatabase()
  const second = await startTestDatabase()
  let url: string | null = null
  const { wake, wakes, connects } = useWake(() => url)
  await new Promise((resolve) => setTimeout(resolve, 300))
  expect(wake.isConnected()).toBe(false)
  url = first.databaseUrl
  await until(() => expect(connects()).toBe(1))
  url = second.databaseUrl
  await first.pool.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'watchroom-wake'`,
  )
  await until(() => expect(connects()).toBe(2))
  await second.pool.query(`select pg_notify('watchroom_topic', 'checks')`)
  await until(() => expect(wakes).toEqual(['checks']))
  await first.stop()
  await second.stop()
})

it('keeps trying while nothing answers, and leaves nothing behind when it is closed', async () => {
  const { wake, connects } = useWake(() => 'postgresql://nobody@127.0.0.1:1/nothing')
  await new Promise((resolve) => setTimeout(resolve, 1_200))
  expect(connects()).toBe(0)
  await wake.close()
  expect(wake.isConnected()).toBe(false)
})
