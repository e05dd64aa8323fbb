import { type AddressInfo, createServer } from 'node:net'

import type { Clock } from '@watchroom/shared/kernel'
import { toWakePayload } from '@watchroom/shared/protocol'
import { expect, it, onTestFinished } from 'vitest'

import { startTestDatabase } from '#support/database.ts'
import { eventually } from '#support/eventually.ts'
import { FakeClock } from '#support/fakeClock.ts'

import { systemClock } from '../../../gateway/src/platform/clock.ts'
import { createDatabaseWake, OWN_WAKES } from '../../../gateway/src/platform/databaseWake.ts'
import { createLogger } from '../../../gateway/src/platform/logger.ts'

function useWake(databaseUrl: () => string | null, clock: Clock = systemClock) {
  const wakes: string[] = []
  let connects = 0
  const wake = createDatabaseWake({
    databaseUrl,
    dialect: OWN_WAKES,
    clock,
    random: Math.random,
    logger: createLogger({ level: 'silent' }),
    onWake: (wake) => wakes.push(toWakePayload(wake)),
    onConnected: () => {
      connects += 1
    },
  })
  onTestFinished(wake.close)
  return { wake, wakes, connects: () => connects }
}

it('hears what the database says', async () => {
  const database = await startTestDatabase()
  const { wakes, connects } = useWake(() => database.databaseUrl)
  await eventually(() => expect(connects()).toBe(1))
  await database.pool.query(`select pg_notify('watchroom_topic', 'checks')`)
  await eventually(() => expect(wakes).toEqual(['checks']))
  await database.stop()
})

it('reconnects when its connection is ended, says so, and hears again', async () => {
  const database = await startTestDatabase()
  const { wake, wakes, connects } = useWake(() => database.databaseUrl)
  await eventually(() => expect(connects()).toBe(1))
  await database.pool.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'watchroom-wake'`,
  )
  await eventually(() => expect(connects()).toBe(2))
  expect(wake.isConnected()).toBe(true)
  await database.pool.query(`select pg_notify('watchroom_topic', 'agents')`)
  await eventually(() => expect(wakes).toEqual(['agents']))
  await database.stop()
})

it('waits for an address, and follows it when it moves', async () => {
  const first = await startTestDatabase()
  const second = await startTestDatabase()
  let url: string | null = null
  let asked = 0
  const { wake, wakes, connects } = useWake(() => {
    asked += 1
    return url
  })
  await eventually(() => expect(asked).toBeGreaterThan(1))
  expect(wake.isConnected()).toBe(false)
  url = first.databaseUrl
  await eventually(() => expect(connects()).toBe(1))
  url = second.databaseUrl
  await first.pool.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'watchroom-wake'`,
  )
  await eventually(() => expect(connects()).toBe(2))
  await second.pool.query(`select pg_notify('watchroom_topic', 'checks')`)
  await eventually(() => expect(wakes).toEqual(['checks']))
  await first.stop()
  await second.stop()
})

it('keeps trying while nothing answers, and leaves nothing behind when it is closed', async () => {
  const clock = new FakeClock()
  let attempts = 0
  const { wake, connects } = useWake(() => {
    attempts += 1
    return 'postgresql://nobody@127.0.0.1:1/nothing'
  }, clock)
  // Each attempt is refused by the system before the next is planned.
  for (const expected of [2, 3, 4]) {
    await eventually(() => expect(clock.pending).toBe(1))
    await clock.advance(15_000 * 1.2)
    expect(attempts).toBe(expected)
  }
  await eventually(() => expect(clock.pending).toBe(1))
  expect(connects()).toBe(0)
  await wake.close()
  expect(clock.pending).toBe(0)
  expect(wake.isConnected()).toBe(false)
})

it('gives up a database that lets it in and then says nothing', async () => {
  let listens = 0
  // As much of a server as a client needs to believe that it was let in.
  const server = createServer((socket) => {
    socket.once('data', () => {
      socket.write(Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 0, 0x5a, 0, 0, 0, 5, 0x49]))
      socket.on('data', (bytes) => {
        if (bytes.includes('listen')) listens += 1
        else socket.destroy()
      })
    })
    socket.on('error', () => undefined)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  const clock = new FakeClock()
  const { wake } = useWake(() => `postgresql://someone@127.0.0.1:${port}/x`, clock)
  await eventually(() => expect(listens).toBe(1))
  expect(wake.isConnected()).toBe(false)
  await eventually(async () => {
    await clock.advance(1_000)
    expect(listens).toBeGreaterThan(1)
  })
  await wake.close()
})
