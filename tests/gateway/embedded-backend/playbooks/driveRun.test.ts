import { pino } from 'pino'
import { describe, expect, it } from 'vitest'

import { FakeClock } from '#support/fakeClock.ts'

import { type DriveDeps, driveRun } from '../../../../gateway/src/embedded-backend/playbooks/driveRun.ts'

interface Taken {
  readonly spec: object
  /** Rows of steps that another process left. */
  readonly actions: readonly object[]
  readonly store: object
  readonly signal: AbortSignal
}

/** Takes up a run whose steps execute nothing. */
async function takeUp({ spec, actions, store, signal }: Taken): Promise<void> {
  const run = {
    id: 'run',
    playbook_id: 'playbook',
    status: 'running',
    sealed: null,
    request: null,
    created_at: new Date(0),
  }
  const deps = {
    store: {
      whileAway: (work: () => Promise<unknown>) => work(),
      find: () => Promise.resolve({ ...run, spec, has_same_spec: true, playbook: { id: 'playbook' }, requester: null }),
      actions: () => Promise.resolve(actions),
      setRun: () => Promise.resolve(true),
      ...store,
    },
    vault: {
      list: () => Promise.resolve(new Map()),
      fillIn: (document: unknown) => Promise.resolve({ document, secrets: [] }),
    },
    clock: new FakeClock(),
    pool: {},
    lookUp: () => Promise.resolve(null),
    takeTurn: (work: () => Promise<unknown>) => work(),
    logger: pino({ level: 'silent' }),
  }
  // Such a run asks for no more than this.
  await driveRun('run', deps as unknown as DriveDeps, { signal } as Parameters<typeof driveRun>[2])
}

describe('a step whose backend ended while it ran', () => {
  /** @returns what was said of its rows, until the next attempt stands there */
  async function follow(isRepeatable: boolean): Promise<unknown[]> {
    const told: unknown[] = []
    const controller = new AbortController()
    await takeUp({
      spec: { actions: [{ name: 'rest', delay: '1h', isRepeatable }] },
      actions: [{ id: 'first', name: 'rest', status: 'running', result: null, retry_count: 1, agent_id: null }],
      signal: controller.signal,
      store: {
        setAction: (id: string, { status }: { status: string }) => {
          told.push([id, status])
          return Promise.resolve()
        },
        retryAction: (failed: { id: string }, _run: string, name: string, next: object) => {
          told.push([failed.id, name, next])
          controller.abort()
          return Promise.reject(new Error('the backend ends'))
        },
      },
    })
    return told
  }

  it('ends and begins again in one statement where it may be repeated', async () => {
    expect(await follow(true)).toEqual([
      ['first', 'rest', { status: 'scheduled', scheduledAt: expect.any(Number) as number, retries: 1 }],
    ])
  })

  it('has failed where it may not', async () => {
    expect(await follow(false)).toEqual([['first', 'failed']])
  })
})

describe('the time of a run that is taken up', () => {
  /** @returns what becomes of the second step, after the first one took longer than the run may */
  async function follow(agentId: string | null): Promise<unknown[]> {
    const told: unknown[] = []
    const controller = new AbortController()
    const row = { id: 'first', name: 'first', status: 'completed', result: {}, retry_count: 0, agent_id: agentId }
    const exec = { script: 'true' }
    await takeUp({
      spec: { timeout: '30m', actions: ['first', 'second'].map((name) => ({ name, exec })) },
      actions: [{ ...row, start_time: new Date(0), end_time: new Date(40 * 60_000) }],
      signal: controller.signal,
      store: {
        addAction: () => Promise.resolve('second'),
        agentOf: () => Promise.resolve(null),
        setAction: (id: string, { status, error }: { status: string; error?: string }) => {
          told.push([id, status, error])
          controller.abort()
          return Promise.reject(new Error('the backend ends'))
        },
      },
    })
    return told
  }

  it('does not count what an agent worked, as before', async () => {
    expect(await follow('agent')).toEqual([['second', 'running', undefined]])
  })

  it('counts what was worked here', async () => {
    expect(await follow(null)).toEqual([['second', 'failed', 'the time of the run was used up']])
  })
})
