import { EventEmitter } from 'node:events'

import type { Pool } from 'pg'
import { pino } from 'pino'
import { describe, expect, it } from 'vitest'

import { eventually } from '#support/eventually.ts'
import { FakeClock } from '#support/fakeClock.ts'

import { createRunner, type RunnerDeps } from '../../../../gateway/src/embedded-backend/playbooks/createRunner.ts'

/** A connection that has the lock, and minds being released twice as the pool's do. */
class LockClient extends EventEmitter {
  releases = 0
  readonly query = () => Promise.resolve({ rows: [{ is_ours: true }] })
  readonly release = (): void => {
    this.releases += 1
    if (this.releases > 1) throw new Error('already released')
    queueMicrotask(() => this.emit('end'))
  }
}

function buildLeading(endLeft: () => Promise<void>) {
  const clients: LockClient[] = []
  const clock = new FakeClock()
  const leads: boolean[] = []
  // Of what it depends on a runner without runs uses no more.
  const runner = createRunner({
    store: { open: () => Promise.resolve([]), endLeft },
    clock,
    pool: {
      connect: () => {
        const client = new LockClient()
        clients.push(client)
        return Promise.resolve(client)
      },
    } as unknown as Pool,
    channels: { listen: () => ({ close: () => undefined, hasHeard: () => Promise.resolve(true) }) },
    logger: pino({ level: 'silent' }),
    onLead: (isLeading: boolean) => leads.push(isLeading),
  } as unknown as RunnerDeps)
  return { runner, clients, clock, leads }
}

describe('a runner that gets the lock', () => {
  it('gives it back once when it cannot begin, and asks for it again', async () => {
    let attempts = 0
    const { runner, clients, clock, leads } = buildLeading(() => {
      attempts += 1
      return attempts === 1 ? Promise.reject(new Error('deadlock detected')) : Promise.resolve()
    })
    runner.start()
    await clock.advance(1_999)
    expect(clients.map(({ releases }) => releases)).toEqual([1])
    await clock.advance(1)
    expect(clients.map(({ releases }) => releases)).toEqual([1, 0])
    expect(leads).toEqual([true, false, true])
    await runner.close()
    expect(clients.map(({ releases }) => releases)).toEqual([1, 1])
  })

  it('leads again when it lost it while it began', async () => {
    const begins: ((error: Error) => void)[] = []
    const { runner, clients, clock, leads } = buildLeading(
      () => new Promise((resolve, reject) => (begins.length === 0 ? begins.push(reject) : resolve())),
    )
    runner.start()
    await clock.advance(0)
    clients[0]?.emit('error', new Error('terminated'))
    await clock.advance(0)
    expect(leads).toEqual([true, false, true])
    begins[0]?.(new Error('terminated'))
    await clock.advance(2_000)
    expect(clients.map(({ releases }) => releases)).toEqual([1, 0])
    await runner.close()
  })
})

describe('a runner that closes', () => {
  it('puts its runs down, and takes none of them up again', async () => {
    const taken: string[] = []
    let release = (): void => undefined
    const wait = new Promise<null>((resolve) => {
      release = () => resolve(null)
    })
    const store = {
      find: (id: string) => {
        taken.push(id)
        return wait
      },
      status: () => Promise.resolve('waiting'),
      open: () => Promise.resolve([{ id: 'asked', status: 'waiting', scheduled_time: new Date(0) }]),
      endLeft: () => Promise.resolve(),
    }
    const client = {
      query: () => Promise.resolve({ rows: [{ is_ours: true }] }),
      on: () => client,
      once: () => client,
      release: () => undefined,
    }
    const clock = new FakeClock()
    const runner = createRunner({
      store,
      clock,
      pool: { connect: () => Promise.resolve(client) } as unknown as Pool,
      channels: { listen: () => ({ close: () => undefined, hasHeard: () => Promise.resolve(true) }) },
      logger: pino({ level: 'silent' }),
      onLead: () => undefined,
    } as unknown as RunnerDeps)

    runner.start()
    await eventually(() => expect(taken).toEqual(['asked']))
    const closed = runner.close()
    release()
    await closed
    expect(taken).toEqual(['asked'])
    expect(clock.pending).toBe(0)
  })
})
