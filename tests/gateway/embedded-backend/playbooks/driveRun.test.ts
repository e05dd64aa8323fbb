import { pino } from 'pino'
import { describe, expect, it } from 'vitest'

import { FakeClock } from '#support/fakeClock.ts'

import { type DriveDeps, driveRun } from '../../../../gateway/src/embedded-backend/playbooks/driveRun.ts'

describe('a step whose backend ended while it ran', () => {
  /** @returns what was said of its rows, until the next attempt stands there */
  async function takeUp(isRepeatable: boolean): Promise<unknown[]> {
    const told: unknown[] = []
    const controller = new AbortController()
    const run = {
      id: 'run',
      playbook_id: 'playbook',
      status: 'running',
      sealed: null,
      request: null,
      created_at: new Date(0),
    }
    const spec = { actions: [{ name: 'rest', delay: '1h', isRepeatable }] }
    const store = {
      whileAway: (work: () => Promise<unknown>) => work(),
      find: () => Promise.resolve({ ...run, spec, has_same_spec: true, playbook: { id: 'playbook' }, requester: null }),
      actions: () =>
        Promise.resolve([
          { id: 'first', name: 'rest', status: 'running', result: null, retry_count: 1, agent_id: null },
        ]),
      setRun: () => Promise.resolve(true),
      setAction: (id: string, { status }: { status: string }) => {
        told.push([id, status])
        return Promise.resolve()
      },
      retryAction: (ended: { id: string; status: string }, _run: string, name: string, next: object) => {
        told.push([ended.id, ended.status, name, next])
        controller.abort()
        return Promise.reject(new Error('the backend ends'))
      },
    }
    const vault = {
      list: () => Promise.resolve(new Map()),
      fillIn: (document: unknown) => Promise.resolve({ document, secrets: [] }),
    }
    const clock = new FakeClock()
    const deps = {
      store,
      vault,
      clock,
      pool: {},
      lookUp: () => Promise.resolve(null),
      logger: pino({ level: 'silent' }),
    }
    // A run whose steps execute nothing asks for no more than this.
    await driveRun('run', deps as unknown as DriveDeps, { signal: controller.signal } as Parameters<typeof driveRun>[2])
    return told
  }

  it('ends and begins again in one statement where it may be repeated', async () => {
    expect(await takeUp(true)).toEqual([
      ['first', 'failed', 'rest', { status: 'scheduled', scheduledAt: expect.any(Number) as number, retries: 1 }],
    ])
  })

  it('has failed where it may not', async () => {
    expect(await takeUp(false)).toEqual([['first', 'failed']])
  })
})
