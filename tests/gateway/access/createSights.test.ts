import { Readable } from 'node:stream'

import { describe, expect, it } from 'vitest'

import { FakeClock } from '#support/fakeClock.ts'

import { createSights } from '../../../gateway/src/access/createSights.ts'
import type { BackendClient, BackendRequest, BackendResponse } from '../../../gateway/src/platform/httpClient.ts'
import { createMetrics } from '../../../gateway/src/platform/metrics.ts'

const LISTENING_MS = 15_000
/** Rows that the gateway itself is not shown. */
const OWN = { kind: 'some', isMore: true } as const

/** Shows the gateway, and whoever is not named in `fewer`, this many rows. */
class CountingBackend implements BackendClient {
  hasServiceCredential = true
  readonly asked: string[] = []
  total = 10
  readonly fewer = new Set<string>()
  /** Are answered with this status. */
  readonly refused = new Map<string, number>()
  /** Whose questions are counted late. */
  readonly slow = new Map<string, Promise<void>>()
  /** Runs after a question was taken and before it is answered. */
  onAsked: (caller: string) => void = () => undefined
  /** What is asked from now on is answered after it, by what was true when it was asked. */
  ready: Promise<void> = Promise.resolve()

  request = async ({ headers, path }: BackendRequest): Promise<BackendResponse> => {
    const caller = String(headers?.cookie ?? 'gateway')
    this.asked.push(`${caller} ${path.split('?', 1)[0]}`)
    const slow = this.slow.get(caller)
    if (slow) await slow
    const shown = this.fewer.has(caller) ? this.total - 1 : this.total
    this.onAsked(caller)
    return this.ready.then(() => ({
      status: this.refused.get(caller) ?? 206,
      headers: { 'content-range': `*/${shown}` },
      body: Readable.from([]),
      json: () => Promise.resolve([]),
      text: () => Promise.resolve('Authorization Error'),
      discard: () => undefined,
    }))
  }

  close = (): Promise<void> => Promise.resolve()
}

function setUp() {
  const clock = new FakeClock()
  const backend = new CountingBackend()
  const signedOut = new Set<string>()
  /** Whose session was asked about, and how old an answer might be. */
  const asked: string[] = []
  const sights = createSights({
    backend,
    access: {
      callerOf: ({ cookie = '' }) => ({ key: cookie, headers: { cookie }, credential: 'caller' }),
      identify: ({ cookie = '' }, { maxAge } = {}) => {
        asked.push(`${cookie} ${maxAge?.sessionMs}`)
        return Promise.resolve(signedOut.has(cookie) ? null : { userId: cookie, name: '', email: '', roles: [] })
      },
      onChange: () => () => undefined,
    },
    clock,
    metrics: createMetrics({ process: false }),
  })
  const look = (person: string, maxAgeMs?: number, source = 'checks') =>
    Promise.resolve(sights.look({ cookie: person }, person, source, maxAgeMs))
  const ofGateway = (): number => backend.asked.filter((asked) => asked.startsWith('gateway ')).length
  return { backend, clock, sights, look, ofGateway, signedOut, asked }
}

describe('what the backend shows', () => {
  it('is asked about someone who opens a topic at once, with one question as that person', async () => {
    const { backend, look } = setUp()
    expect(await look('ada')).toEqual({ kind: 'all' })
    expect(backend.asked).toEqual(['gateway /db/checks', 'ada /db/checks', 'gateway /db/checks'])
    expect(await look('ada')).toEqual({ kind: 'all' })
    expect(backend.asked).toHaveLength(3)
  })

  it('[COLLAB-42] of one row by its id is asked once as the person and once as the gateway, at the same time', async () => {
    const { backend, look } = setUp()
    let answer = (): void => undefined
    backend.ready = new Promise((resolve) => {
      answer = resolve
    })
    backend.total = 1
    const shown = look('ada', undefined, 'incidents?id=eq.7f3')
    backend.fewer.add('bob')
    const hidden = look('bob', undefined, 'incidents?id=eq.7f3')
    expect(backend.asked.toSorted()).toEqual(['ada', 'bob', 'gateway', 'gateway'].map((who) => `${who} /db/incidents`))
    answer()
    expect([await shown, await hidden]).toEqual([{ kind: 'all' }, { kind: 'some' }])
    expect(backend.asked).toHaveLength(4)
  })

  it('[LIVE-64] is asked again when the question under way is older than its answer may be', async () => {
    const { backend, clock, look } = setUp()
    let answer = (): void => undefined
    const held = new Promise<void>((resolve) => {
      answer = resolve
    })
    backend.onAsked = (caller) => {
      backend.ready = caller === 'ada' ? held : Promise.resolve()
    }
    const before = look('ada')
    await clock.advance(5_000)
    backend.onAsked = () => undefined
    backend.ready = Promise.resolve()
    backend.fewer.add('ada')
    const after = look('ada')
    await clock.advance(100)
    expect(await after).toEqual({ kind: 'some' })
    answer()
    expect(await before).toEqual({ kind: 'all' })
    // Answered last, asked first.
    expect(await look('ada')).toEqual({ kind: 'some' })
  })

  it('is asked about people who only listen together, and the gateway’s own counts are taken once for all of them', async () => {
    const { backend, clock, look, ofGateway } = setUp()
    backend.fewer.add('bob')
    const found = ['ada', 'bob', 'eve'].map((person) => look(person, LISTENING_MS))
    await clock.advance(499)
    expect(backend.asked).toEqual([])
    await clock.advance(1)
    expect(await Promise.all(found)).toEqual([{ kind: 'all' }, { kind: 'some' }, { kind: 'all' }])
    expect(backend.asked).toHaveLength(5)
    expect(ofGateway()).toBe(2)
    expect(clock.pending).toBe(0)
  })

  it('keeps nobody waiting for others of whom the answer is late', async () => {
    const { backend, clock, look, ofGateway } = setUp()
    let answer = (): void => undefined
    backend.slow.set(
      'bob',
      new Promise((resolve) => {
        answer = resolve
      }),
    )
    const [ada, bob] = ['ada', 'bob'].map((person) => look(person, LISTENING_MS))
    await clock.advance(550)
    expect(await ada).toEqual({ kind: 'all' })
    expect(ofGateway()).toBe(2)
    answer()
    expect(await bob).toEqual({ kind: 'all' })
    expect(ofGateway()).toBe(3)
  })

  it('keeps nobody waiting for others about whom the question fails', async () => {
    const { backend, clock, look } = setUp()
    backend.slow.set('bob', Promise.reject(new Error('lost')))
    const found = Promise.allSettled(['ada', 'bob'].map((person) => look(person, LISTENING_MS)))
    await clock.advance(500)
    expect(await found).toMatchObject([
      { status: 'fulfilled', value: { kind: 'all' } },
      { status: 'rejected', reason: { message: 'lost' } },
    ])
    expect(clock.pending).toBe(0)
  })

  it('takes those who wait along with someone who does not', async () => {
    const { clock, look, ofGateway } = setUp()
    const listening = look('ada', LISTENING_MS)
    expect(await look('bob')).toEqual({ kind: 'all' })
    expect(await listening).toEqual({ kind: 'all' })
    expect(ofGateway()).toBe(2)
    expect(clock.pending).toBe(0)
  })

  it('asks about no more than twenty people together', async () => {
    const { look, ofGateway, backend, clock } = setUp()
    const found = Array.from({ length: 45 }, (_, at) => look(`person-${at}`, LISTENING_MS))
    expect(ofGateway()).toBe(2)
    await clock.advance(500)
    await Promise.all(found)
    expect([ofGateway(), backend.asked.length]).toEqual([6, 51])
  })

  it.each([
    ['come', 1],
    ['go', -1],
  ])(
    'is never the shared rows for someone who is shown fewer, though as many %s while it is asked',
    async (_, more) => {
      const { backend, clock, look } = setUp()
      backend.fewer.add('bob')
      backend.total = 100
      backend.onAsked = () => {
        backend.total += more
      }
      const found = ['ada', 'bob'].map((person) => look(person, LISTENING_MS))
      await clock.advance(2_000)
      expect((await Promise.all(found))[1]).toEqual({ kind: 'some' })
    },
  )

  it('is never the shared rows where one comes after the gateway counted and before the person’s own count', async () => {
    const { backend, clock, look } = setUp()
    backend.fewer.add('bob')
    let comes = (): void => undefined
    backend.slow.set(
      'bob',
      new Promise((resolve) => {
        comes = resolve
      }),
    )
    const found = look('bob')
    await clock.advance(1)
    backend.total += 1
    comes()
    await clock.advance(1_000)
    expect(await found).toEqual({ kind: 'some' })
  })

  it('is everyone’s own where the gateway has no credential: nobody else is asked', async () => {
    const { backend, look } = setUp()
    backend.hasServiceCredential = false
    expect([await look('ada'), await look('bob', LISTENING_MS)]).toEqual([OWN, OWN])
    expect(backend.asked).toEqual(['ada /db/checks', 'bob /db/checks'])
  })

  it('[COLLAB-42] is their own where the gateway’s credential is refused: they see rows that it does not', async () => {
    const { backend, look } = setUp()
    backend.refused.set('gateway', 401)
    expect(await look('ada')).toEqual(OWN)
  })

  it('[LIVE-64] is their own for someone who is shown more than the gateway', async () => {
    const { backend, clock, look, ofGateway } = setUp()
    backend.fewer.add('gateway')
    const found = look('ada')
    await clock.advance(1_000)
    expect(await found).toEqual(OWN)
    expect(ofGateway()).toBe(2)
  })

  it('[LIVE-64] is shared when rows only went between the counts', async () => {
    const { backend, clock, look, ofGateway } = setUp()
    let gone = 0
    backend.onAsked = (caller) => {
      if (caller === 'gateway' || gone === 2) return
      gone += 1
      backend.total -= 1
    }
    const found = look('ada')
    await clock.advance(1_000)
    expect(await found).toEqual({ kind: 'all' })
    expect(ofGateway()).toBe(6)
  })

  it('[COLLAB-40] is no answer about rights when the session has ended', async () => {
    const { backend, look, sights, signedOut, asked } = setUp()
    backend.refused.set('ada', 401)
    signedOut.add('ada')
    await expect(look('ada')).rejects.toMatchObject({ code: 'ACCESS_SESSION_REQUIRED' })
    const columns = [{ table: 'incidents', column: 'title' }]
    await expect(sights.mayEdit({ cookie: 'ada' }, 'ada', columns)).rejects.toMatchObject({
      code: 'ACCESS_SESSION_REQUIRED',
    })
    await expect(sights.look({ cookie: 'ada' }, 'ada', 'POST /api/topology', LISTENING_MS)).rejects.toMatchObject({
      code: 'ACCESS_SESSION_REQUIRED',
    })
    expect(asked).toEqual(['ada 0', 'ada 0', 'ada 0'])
  })

  it('[LIVE-64] is refused, with the reason, to someone whose session holds', async () => {
    const { backend, look, sights, asked } = setUp()
    backend.refused.set('ada', 401).set('bob', 403)
    expect(await look('ada')).toEqual({ kind: 'none', reason: 'Authorization Error' })
    expect(await sights.mayEdit({ cookie: 'ada' }, 'ada', [{ table: 'incidents', column: 'title' }])).toBe(false)
    expect(await look('bob')).toEqual({ kind: 'none', reason: 'Authorization Error' })
    expect(asked).toEqual(['ada 0', 'ada 0'])
  })

  it('keeps nobody waiting when the gateway ends', async () => {
    const { clock, look, sights } = setUp()
    const found = look('ada', LISTENING_MS)
    sights.close()
    expect(await found).toEqual({ kind: 'all' })
    expect(clock.pending).toBe(0)
  })
})
