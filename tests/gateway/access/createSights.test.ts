import { Readable } from 'node:stream'

import { describe, expect, it } from 'vitest'

import { FakeClock } from '#support/fakeClock.ts'

import { createSights } from '../../../gateway/src/access/createSights.ts'
import type { BackendClient, BackendRequest, BackendResponse } from '../../../gateway/src/platform/httpClient.ts'
import { createMetrics } from '../../../gateway/src/platform/metrics.ts'

const LISTENING_MS = 15_000

/** Shows the gateway, and whoever is not named in `fewer`, this many rows. */
class CountingBackend implements BackendClient {
  hasServiceCredential = true
  readonly asked: string[] = []
  total = 10
  readonly fewer = new Set<string>()
  /** Runs after a question was taken and before it is answered. */
  onAsked: (caller: string) => void = () => undefined

  request = ({ headers, path }: BackendRequest): Promise<BackendResponse> => {
    const caller = String(headers?.cookie ?? 'gateway')
    this.asked.push(`${caller} ${path.split('?', 1)[0]}`)
    const shown = this.fewer.has(caller) ? this.total - 1 : this.total
    this.onAsked(caller)
    return Promise.resolve({
      status: 206,
      headers: { 'content-range': `*/${shown}` },
      body: Readable.from([]),
      json: () => Promise.resolve([]),
      text: () => Promise.resolve('[]'),
      discard: () => undefined,
    })
  }

  close = (): Promise<void> => Promise.resolve()
}

function setUp() {
  const clock = new FakeClock()
  const backend = new CountingBackend()
  const sights = createSights({
    backend,
    access: {
      callerOf: ({ cookie = '' }) => ({ key: cookie, headers: { cookie }, credential: 'caller' }),
      onChange: () => () => undefined,
    },
    clock,
    metrics: createMetrics({ process: false }),
  })
  const look = (person: string, maxAgeMs?: number) =>
    Promise.resolve(sights.look({ cookie: person }, person, 'checks', maxAgeMs))
  const ofGateway = (): number => backend.asked.filter((asked) => asked.startsWith('gateway ')).length
  return { backend, clock, sights, look, ofGateway }
}

describe('what the backend shows', () => {
  it('is asked about someone who opens a topic at once, with one question as that person', async () => {
    const { backend, look } = setUp()
    expect(await look('ada')).toEqual({ kind: 'all' })
    expect(backend.asked.toSorted()).toEqual(['ada /db/checks', 'gateway /db/checks'])
    expect(await look('ada')).toEqual({ kind: 'all' })
    expect(backend.asked).toHaveLength(2)
  })

  it('is asked about people who only listen together, and the gateway’s own count is taken once for all of them', async () => {
    const { backend, clock, look, ofGateway } = setUp()
    backend.fewer.add('bob')
    const found = ['ada', 'bob', 'eve'].map((person) => look(person, LISTENING_MS))
    await clock.advance(499)
    expect(backend.asked).toEqual([])
    // Again for the one who is shown fewer.
    await clock.advance(1_101)
    expect(await Promise.all(found)).toEqual([{ kind: 'all' }, { kind: 'some' }, { kind: 'all' }])
    expect(backend.asked.filter((asked) => asked.startsWith('bob '))).toHaveLength(2)
    expect(ofGateway()).toBe(2)
  })

  it('takes those who wait along with someone who does not', async () => {
    const { clock, look, ofGateway } = setUp()
    const listening = look('ada', LISTENING_MS)
    expect(await look('bob')).toEqual({ kind: 'all' })
    expect(await listening).toEqual({ kind: 'all' })
    expect(ofGateway()).toBe(1)
    expect(clock.pending).toBe(0)
  })

  it('asks about no more than twenty people together', async () => {
    const { look, ofGateway, backend, clock } = setUp()
    const found = Array.from({ length: 45 }, (_, at) => look(`person-${at}`, LISTENING_MS))
    expect(ofGateway()).toBe(2)
    await clock.advance(500)
    await Promise.all(found)
    expect([ofGateway(), backend.asked.length]).toEqual([3, 48])
  })

  it('is never the shared rows for someone who is shown fewer, though rows come while it is asked', async () => {
    const { backend, clock, look } = setUp()
    backend.fewer.add('bob')
    // As many rows come as are hidden.
    backend.onAsked = () => {
      backend.total += 1
    }
    const found = ['ada', 'bob'].map((person) => look(person, LISTENING_MS))
    await clock.advance(2_000)
    expect((await Promise.all(found))[1]).toEqual({ kind: 'some' })
  })

  it('is everyone’s own where the gateway has no credential: nobody else is asked', async () => {
    const { backend, look } = setUp()
    backend.hasServiceCredential = false
    expect([await look('ada'), await look('bob', LISTENING_MS)]).toEqual([{ kind: 'some' }, { kind: 'some' }])
    expect(backend.asked).toEqual(['ada /db/checks', 'bob /db/checks'])
  })

  it('keeps nobody waiting when the gateway ends', async () => {
    const { clock, look, sights } = setUp()
    const found = look('ada', LISTENING_MS)
    sights.close()
    expect(await found).toEqual({ kind: 'all' })
    expect(clock.pending).toBe(0)
  })
})
