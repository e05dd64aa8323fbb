import type { Pool } from 'pg'
import { pino } from 'pino'
import { describe, expect, it } from 'vitest'

import { eventually } from '#support/eventually.ts'
import { FakeClock } from '#support/fakeClock.ts'

import { createRunner, type RunnerDeps } from '../../../../gateway/src/embedded-backend/playbooks/createRunner.ts'

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
