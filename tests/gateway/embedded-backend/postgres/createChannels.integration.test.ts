import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'

import { startTestDatabase, type TestDatabase } from '#support/database.ts'

import type { ChannelListener } from '../../../../gateway/src/embedded-backend/postgres/createChannels.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await startTestDatabase()
})
afterAll(() => database.stop())

const SOON = { timeout: 20_000, interval: 10 }

/** Someone who listens, and what they heard: `+` for each connection. */
function listen(channel: string): { heard: string[]; listener: ChannelListener } {
  const heard: string[] = []
  const listener = database.channels.listen({
    channel,
    onNotification: (payload) => heard.push(payload),
    onConnected: () => heard.push('+'),
  })
  onTestFinished(() => listener.close())
  return { heard, listener }
}

const notify = (channel: string, payload: string) => database.pool.query('select pg_notify($1, $2)', [channel, payload])

describe('channels', () => {
  it('share one connection, and each hears its own', async () => {
    const [first, second] = [listen('first'), listen('second')]
    await expect.poll(() => [first.heard, second.heard], SOON).toEqual([['+'], ['+']])
    const third = listen('third')
    await expect.poll(() => third.heard, SOON).toEqual(['+'])
    await notify('second', 'a')
    await notify('third', 'b')
    expect(await Promise.all([first, second, third].map(({ listener }) => listener.hasHeard()))).toEqual([
      true,
      true,
      true,
    ])
    expect([first.heard, second.heard, third.heard]).toEqual([['+'], ['+', 'a'], ['+', 'b']])
    expect(database.pool.totalCount - database.pool.idleCount).toBe(1)
  })

  it('are all told when a lost connection was replaced', async () => {
    const [first, second] = [listen('first'), listen('second')]
    await expect.poll(() => [first.heard, second.heard], SOON).toEqual([['+'], ['+']])
    await database.pool.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where query like 'listen %' and pid <> pg_backend_pid() and datname = current_database()`,
    )
    await expect
      .poll(() => [first.heard, second.heard], SOON)
      .toEqual([
        ['+', '+'],
        ['+', '+'],
      ])
    await notify('second', 'again')
    await expect.poll(() => second.heard, SOON).toEqual(['+', '+', 'again'])
  })

  it('hold no connection once nobody listens, also when that was before it was open', async () => {
    const { heard, listener } = listen('first')
    await expect.poll(() => heard, SOON).toEqual(['+'])
    listener.close()
    expect(database.pool.totalCount - database.pool.idleCount).toBe(0)
    expect(await listener.hasHeard()).toBe(false)
    listen('second').listener.close()
    await expect.poll(() => database.pool.totalCount - database.pool.idleCount, SOON).toBe(0)
    const late = listen('third')
    await expect.poll(() => late.heard, SOON).toEqual(['+'])
  })
})
