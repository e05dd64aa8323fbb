import { checksTopic, type ServerMessage } from '@watchroom/shared/protocol'
import { describe, expect, it } from 'vitest'

import { buildCheck } from '#support/buildCheck.ts'
import { FakeClock } from '#support/fakeClock.ts'
import { testId } from '#support/incidentDocument.ts'
import { LiveWorld, type LiveWorldOptions, ManualFeed } from '#support/liveWorld.ts'

import type { TopicSight } from '../../../gateway/src/live/createOpenTopics.ts'
import type { SessionAccess } from '../../../gateway/src/live/createTopicHub.ts'
import type { PolledFeeds } from '../../../gateway/src/polling/contract.ts'

const SHARED: TopicSight = { kind: 'shared' }
const FORBIDDEN: TopicSight = { kind: 'forbidden', reason: null }

/** A hub with one raw socket: the test says what the client says. */
function buildSession(options: Partial<LiveWorldOptions> & { look?: SessionAccess['look'] } = {}) {
  const clock = new FakeClock()
  const world = new LiveWorld({ clock, ...options })
  const sent: ServerMessage[] = []
  let closed: 'no' | 'gently' | 'hard' = 'no'
  /** `perMessage`: unsent bytes after each message, until the test takes them away. */
  const port = { bufferedBytes: 0, perMessage: 0 }
  const session = world.hub.openSession(
    {
      send: (message) => {
        sent.push(message)
        port.bufferedBytes += port.perMessage
      },
      bufferedBytes: () => port.bufferedBytes,
      close: (hard) => {
        closed = hard ? 'hard' : 'gently'
      },
      canUnpack: options.canUnpack ?? false,
    },
    {
      look: options.look ?? (() => SHARED),
      enterSubscription: () => () => undefined,
      watcher: () => undefined,
      onCut: () => undefined,
    },
  )
  const take = (): ServerMessage[] => sent.splice(0)
  take()
  return { clock, world, session, port, take, closed: () => closed, publish: world.checks }
}

const subscribe = (id: string, since?: object) => ({
  type: 'subscribe',
  id,
  topic: 'checks',
  ...(since ? { since } : {}),
})
const types = (messages: readonly ServerMessage[]): string[] => messages.map(({ type }) => type)
const check = (id: string, passed = 0) => buildCheck({ id, uptime: { passed, failed: 0 } })

describe('the answer to a subscription', () => {
  it('[LIVE-10] is a snapshot, and nothing before it', async () => {
    const { clock, world, session, take, publish } = buildSession()
    session.receive(subscribe('a'))
    await clock.advance(1_500)
    expect(types(take())).not.toContain('snapshot')
    publish.publishAll([check('x')], 5)
    await clock.advance(100)
    expect(take()).toMatchObject([{ type: 'snapshot', id: 'a', offset: 0, page: 0, pages: 1, rows: [{ id: 'x' }] }])
    world.close()
  })

  it('[LIVE-10] is a delta when the log knows the position, a snapshot when it does not', () => {
    const { world, session, take, publish } = buildSession()
    publish.publishAll([check('x')], 5)
    publish.publishAll([check('x', 1)], 6)
    session.receive(subscribe('a', { epoch: 'e2', offset: 0 }))
    const [answer] = take()
    const epoch = answer?.type === 'delta' || answer?.type === 'snapshot' ? answer.epoch : ''
    session.receive(subscribe('b', { epoch, offset: 0 }))
    session.receive(subscribe('c', { epoch, offset: 1 }))
    session.receive(subscribe('d', { epoch: 'elsewhere', offset: 0 }))
    session.receive(subscribe('e', { epoch, offset: 7 }))
    expect(take()).toMatchObject([
      { type: 'delta', id: 'b', from: 0, to: 1, ops: [{ key: 'x', set: { uptime: { passed: 1 } } }] },
      { type: 'delta', id: 'c', from: 1, to: 1, ops: [] },
      { type: 'snapshot', id: 'd', offset: 1 },
      { type: 'snapshot', id: 'e', offset: 1 },
    ])
    world.close()
  })

  it('[LIVE-53] is a refusal without the right, and later when the right is taken away', () => {
    let sight: TopicSight = { kind: 'forbidden', reason: 'incident is read by responders only' }
    const { world, session, take, publish } = buildSession({ look: () => sight })
    publish.publishAll([check('x')], 5)
    session.receive(subscribe('a'))
    expect(take()).toMatchObject([
      {
        type: 'denied',
        id: 'a',
        code: 'LIVE_TOPIC_FORBIDDEN',
        message: expect.stringMatching(/: incident is read by responders only$/),
      },
    ])
    sight = SHARED
    session.receive(subscribe('b'))
    expect(types(take())).toEqual(['snapshot'])
    expect(publish.watchers).toBe(1)
    sight = FORBIDDEN
    session.recheckRights()
    expect(take()).toMatchObject([{ type: 'denied', id: 'b' }])
    expect(publish.watchers).toBe(0)
    world.close()
  })

  it.each([
    ['shared', SHARED],
    // The topic reads no other feed.
    ['personal', { kind: 'personal', owner: 'ana', feeds: { config: () => new ManualFeed() } as never } as const],
  ])('is nothing for someone who left before anyone could say, and the %s topic closes again', async (_kind, sight) => {
    let answer: (sight: TopicSight) => void = () => undefined
    const asked = new Promise<TopicSight>((resolve) => {
      answer = resolve
    })
    const { clock, world, session } = buildSession({ look: () => asked })
    const open = (): string[] => [...world.hub.topics()].map(({ name }) => name)
    session.receive({ type: 'subscribe', id: 'a', topic: 'config', params: { id: testId('c', 1) } })
    session.receive({ type: 'unsubscribe', id: 'a' })
    answer(sight)
    await clock.advance(0)
    await clock.advance(60_000)
    expect(open()).not.toContain('config')
    world.close()
  })

  it('[LIVE-64] is rows of their own for someone to whom the backend shows others, and never the shared ones after that', () => {
    const own = new ManualFeed()
    const personal: TopicSight = {
      kind: 'personal',
      owner: 'ana',
      feeds: { checks: () => own } as Partial<PolledFeeds> as PolledFeeds,
    }
    let sight: TopicSight = SHARED
    const { world, session, take, publish } = buildSession({ look: () => sight })
    publish.publishAll([check('x'), check('secret')], 5)
    session.receive(subscribe('a'))
    expect(take()).toMatchObject([{ type: 'snapshot', rows: [{ id: 'x' }, { id: 'secret' }] }])
    sight = personal
    session.recheckRights()
    expect(publish.watchers).toBe(0)
    publish.publishAll([check('x', 1), check('secret', 1)], 6)
    own.publishAll([check('x', 1)], 6)
    session.flush()
    expect(take()).toMatchObject([{ type: 'source' }, { type: 'snapshot', rows: [{ id: 'x' }] }])
    own.fail({ code: 'X', message: 'x', consecutiveFailures: 1, nextAttemptAt: 1 })
    session.recheckRights()
    publish.publishAll([check('secret', 2)], 7)
    session.flush()
    expect(JSON.stringify(take())).not.toContain('secret')
    sight = SHARED
    session.recheckRights()
    expect(own.watchers).toBe(0)
    expect(JSON.stringify(take())).toContain('secret')
    world.close()
  })

  it('[LIVE-64] waits until someone can say who may see it, and says so; what is seen already stays', async () => {
    let answer: () => TopicSight | Promise<TopicSight> = () => Promise.reject(new Error('away'))
    const { clock, world, session, take, publish } = buildSession({ look: () => answer() })
    publish.publishAll([check('x')], 5)
    session.receive(subscribe('a'))
    await clock.advance(0)
    expect(take()).toMatchObject([{ type: 'source', id: 'a', problem: { code: 'LIVE_RIGHTS_UNCONFIRMED' } }])
    answer = () => Promise.resolve(SHARED)
    await clock.advance(1_000)
    const said = take()
    expect(said).toContainEqual(expect.objectContaining({ type: 'source', id: 'a', problem: null }))
    expect(types(said)).toContain('snapshot')
    answer = () => Promise.reject(new Error('away'))
    session.recheckRights()
    publish.publishAll([check('x', 1)], 6)
    await clock.advance(100)
    expect(types(take())).toEqual(['delta'])
    // Nobody says again that rights changed: what was not answered is asked again.
    answer = () => Promise.resolve(FORBIDDEN)
    await clock.advance(2_000)
    expect(types(take())).toEqual(['denied'])
    world.close()
  })

  it('[LIVE-64] goes to nobody who left while it was asked', async () => {
    let settle: (sight: TopicSight) => void = () => undefined
    const { clock, world, session, take, publish } = buildSession({
      look: () => new Promise((resolve) => (settle = resolve)),
    })
    publish.publishAll([check('x')], 5)
    session.receive(subscribe('a'))
    session.receive({ type: 'unsubscribe', id: 'a' })
    settle(SHARED)
    await clock.advance(0)
    expect(take()).toEqual([])
    expect(publish.watchers).toBe(0)
    world.close()
  })

  it('[LIVE-34] is preceded by the failure of the source, when there is one', () => {
    const { world, session, take, publish } = buildSession()
    const problem = { code: 'X', message: 'x', consecutiveFailures: 1, nextAttemptAt: 1 }
    publish.fail(problem)
    session.receive(subscribe('a'))
    expect(take()).toMatchObject([{ type: 'source', id: 'a', problem }])
    publish.fail(null)
    expect(take()).toMatchObject([{ type: 'source', id: 'a', problem: null }])
    world.close()
  })
})

describe('delivery', () => {
  it('[LIVE-20] sends one delta for all changes within a flush, newest op per key', async () => {
    const { clock, world, session, take, publish } = buildSession()
    publish.publishAll([check('x'), check('y')], 5)
    session.receive(subscribe('a'))
    take()
    await clock.advance(1_000)
    take()
    for (let passed = 1; passed <= 5; passed++) {
      publish.publishAll([check('x', passed), check('y')], 5 + passed)
      await clock.advance(10)
    }
    // The first goes at once, what follows closely goes together.
    expect(take()).toMatchObject([{ type: 'delta', from: 0, to: 1 }])
    await clock.advance(75)
    expect(take()).toMatchObject([
      { type: 'delta', from: 1, to: 5, ops: [{ key: 'x', set: { uptime: { passed: 5 } } }], asOf: 10 },
    ])
    world.close()
  })

  it('[LIVE-20] waits with a socket that is behind, and then sends only the newest', async () => {
    const { clock, world, session, port, take, publish } = buildSession()
    publish.publishAll([check('x')], 5)
    session.receive(subscribe('a'))
    take()
    port.bufferedBytes = 70_000
    for (let passed = 1; passed <= 50; passed++) {
      publish.publishAll([check('x', passed)], 5 + passed)
      await clock.advance(100)
    }
    expect(take()).toEqual([])
    port.bufferedBytes = 0
    session.flush()
    expect(take()).toMatchObject([{ from: 0, to: 50, ops: [{ set: { uptime: { passed: 50 } } }] }])
    world.close()
  })

  it('[LIVE-21] sends pages and steps only as the socket takes them', () => {
    const { world, session, port, take, publish } = buildSession({ settings: { pageRows: 2, deltaOps: 2 } })
    publish.publishAll(
      ['a', 'b', 'c', 'd', 'e'].map((id) => check(id)),
      5,
    )
    port.bufferedBytes = 70_000
    session.receive(subscribe('s'))
    expect(take()).toEqual([])
    port.bufferedBytes = 0
    session.flush()
    expect(take()).toMatchObject([
      { page: 0, pages: 3, rows: [{ id: 'a' }, { id: 'b' }] },
      { page: 1, pages: 3 },
      { page: 2, pages: 3, rows: [{ id: 'e' }] },
    ])
    publish.publishAll(
      ['a', 'b', 'c', 'd', 'e'].map((id) => check(id, 1)),
      6,
    )
    session.flush()
    expect(take()).toMatchObject([
      { from: 0, to: 2 },
      { from: 2, to: 4 },
      { from: 4, to: 5 },
    ])
    world.close()
  })

  it('[LIVE-21] sends the rest of a snapshot unchanged while the table moves on', () => {
    const { world, session, port, take, publish } = buildSession({ settings: { pageRows: 1 } })
    publish.publishAll([check('a'), check('b')], 5)
    port.perMessage = 70_000
    session.receive(subscribe('s'))
    expect(take()).toMatchObject([
      { type: 'snapshot', offset: 0, page: 0, pages: 2, rows: [{ uptime: { passed: 0 } }] },
    ])
    publish.publishAll([check('a', 1), check('b', 1)], 6)
    port.bufferedBytes = 0
    session.flush()
    expect(take()).toMatchObject([
      { type: 'snapshot', offset: 0, page: 1, pages: 2, rows: [{ uptime: { passed: 0 } }] },
    ])
    port.bufferedBytes = 0
    session.flush()
    expect(take()).toMatchObject([{ type: 'delta', from: 0, to: 2 }])
    world.close()
  })

  it('[LIVE-23] sends a snapshot when the log no longer reaches back', async () => {
    const { clock, world, session, port, take, publish } = buildSession({ settings: { logOps: 3 } })
    publish.publishAll([check('x')], 5)
    session.receive(subscribe('a'))
    take()
    port.bufferedBytes = 70_000
    for (let passed = 1; passed <= 5; passed++) publish.publishAll([check('x', passed)], 5 + passed)
    await clock.advance(100)
    port.bufferedBytes = 0
    session.flush()
    expect(take()).toMatchObject([{ type: 'snapshot', id: 'a', offset: 5, rows: [{ uptime: { passed: 5 } }] }])
    world.close()
  })

  it('[LIVE-40] packs pages and large deltas once for all sockets', async () => {
    const { clock, world, session, take, publish } = buildSession({ canUnpack: true, settings: { packBytes: 300 } })
    publish.publishAll([check('x'), check('y')], 5)
    session.receive(subscribe('a'))
    session.receive(subscribe('b'))
    await clock.advance(0)
    const packed = take()
    expect(types(packed)).toEqual(['packed', 'packed'])
    expect(packed[0]?.type === 'packed' && packed[0].data).toBe(packed[1]?.type === 'packed' && packed[1].data)
    publish.publishAll([check('x', 1), check('y')], 6)
    await clock.advance(100)
    expect(types(take())).toEqual(['delta', 'delta'])
    publish.publishAll([check('x', 2), check('y', 2), check('z'), check('w')], 7)
    await clock.advance(100)
    expect(types(take())).toEqual(['packed', 'packed'])
    world.close()
  })

  it.each([false, true])(
    'gives sockets whose subscription has the same id the identical delta; packed: %s',
    async (canUnpack) => {
      const { clock, world, session, take, publish } = buildSession({ canUnpack, settings: { packBytes: 1 } })
      const other: ServerMessage[] = []
      const port = {
        send: (message: ServerMessage) => other.push(message),
        bufferedBytes: () => 0,
        close: () => undefined,
      }
      const access = { look: () => SHARED, enterSubscription: () => () => undefined, watcher: () => undefined }
      const second = world.hub.openSession({ ...port, canUnpack }, { ...access, onCut: () => undefined })
      publish.publishAll([check('x')], 5)
      for (const each of [session, second]) each.receive(subscribe('a'))
      await clock.advance(0)
      take()
      publish.publishAll([check('x', 1)], 6)
      await clock.advance(100)
      const taken = take()
      expect(taken).toHaveLength(1)
      expect(taken[0]).toBe(other.at(-1))
      world.close()
    },
  )
})

describe('heartbeats', () => {
  it('[LIVE-15] come at least every 10 s with position, age and time', async () => {
    const { clock, world, session, take, publish } = buildSession()
    publish.publishAll([check('x')], 5)
    session.receive(subscribe('a'))
    take()
    await clock.advance(10_500)
    const heartbeats = take().filter(({ type }) => type === 'heartbeat')
    expect(heartbeats).toMatchObject([{ id: 'a', offset: 0, asOf: 5 }])
    world.close()
  })

  it('[LIVE-15] tell that unchanged data was confirmed, at most once a second', async () => {
    const { clock, world, session, take, publish } = buildSession()
    publish.publishAll([check('x')], 5)
    session.receive(subscribe('a'))
    take()
    for (let round = 0; round < 40; round++) {
      publish.publishAll([check('x')], 10 + round)
      await clock.advance(100)
    }
    const heartbeats = take().filter(({ type }) => type === 'heartbeat')
    expect(heartbeats.length).toBeGreaterThanOrEqual(3)
    expect(heartbeats.length).toBeLessThanOrEqual(4)
    world.close()
  })

  it('[LIVE-41] something is sent at least every 2 s', async () => {
    const { clock, world, take } = buildSession()
    const times: number[] = []
    for (let step = 0; step < 100; step++) {
      await clock.advance(100)
      if (take().length > 0) times.push(clock.monotonic())
    }
    const gaps = times.map((time, index) => time - (times[index - 1] ?? 0))
    expect(Math.max(...gaps)).toBeLessThanOrEqual(2_000)
    expect(times.length).toBeLessThanOrEqual(6)
    world.close()
  })
})

describe('bad sockets', () => {
  it('[LIVE-22] are cut when they take nothing for 15 s, without waiting for unsent bytes', async () => {
    const { clock, world, session, port, take, closed, publish } = buildSession()
    publish.publishAll([check('x')], 5)
    session.receive(subscribe('a'))
    port.bufferedBytes = 70_000
    publish.publishAll([check('x', 1)], 6)
    await clock.advance(14_000)
    expect(closed()).toBe('no')
    await clock.advance(2_500)
    expect(take().at(-1)).toMatchObject({ type: 'bye', code: 4508 })
    expect(closed()).toBe('hard')
    expect(publish.watchers).toBe(0)
    world.close()
  })

  it('[LIVE-22] are not cut while they make progress', async () => {
    const { clock, world, session, port, closed, publish } = buildSession()
    publish.publishAll([check('x')], 5)
    session.receive(subscribe('a'))
    for (let round = 0; round < 10; round++) {
      port.bufferedBytes = 70_000
      publish.publishAll([check('x', round + 1)], 6 + round)
      await clock.advance(5_000)
      port.bufferedBytes = 0
      session.flush()
    }
    expect(closed()).toBe('no')
    world.close()
  })

  it('[LIVE-22] are not cut while they take a large snapshot page by page', async () => {
    const { clock, world, session, port, take, closed, publish } = buildSession()
    publish.publishAll(
      Array.from({ length: 6_000 }, (_, index) => check(`c${index}`)),
      5,
    )
    port.perMessage = 70_000
    session.receive(subscribe('a'))
    const pages: ServerMessage[] = []
    for (let round = 0; round < 10; round++) {
      await clock.advance(5_000)
      port.bufferedBytes = 0
      session.flush()
      pages.push(...take().filter(({ type }) => type === 'snapshot'))
    }
    expect(closed()).toBe('no')
    const [first] = pages
    expect(pages).toHaveLength(first?.type === 'snapshot' ? (first.pages ?? 1) : 0)
    expect(pages.length).toBeGreaterThan(4)
    world.close()
  })

  it('[LIVE-22] are cut when more than 1 MiB waits for them', async () => {
    const { clock, world, port, take } = buildSession()
    port.bufferedBytes = 1024 * 1024 + 1
    await clock.advance(1_100)
    expect(take().at(-1)).toMatchObject({ type: 'bye', code: 4508 })
    world.close()
  })

  it('[LIVE-55] may not send more than 60 messages at once or 20 a second', async () => {
    const { clock, world, session, take, closed } = buildSession()
    for (let sent = 0; sent < 60; sent++) session.receive({ type: 'refresh', id: 'a' })
    expect(closed()).toBe('no')
    await clock.advance(1_000)
    for (let sent = 0; sent < 20; sent++) session.receive({ type: 'refresh', id: 'a' })
    expect(closed()).toBe('no')
    session.receive({ type: 'refresh', id: 'a' })
    expect(take().at(-1)).toMatchObject({ type: 'bye', code: 4429 })
    world.close()
  })

  it('[LIVE-56] hear 4400 and then nothing', async () => {
    const { clock, world, session, take, closed, publish } = buildSession()
    publish.publishAll([check('x')], 5)
    session.receive(subscribe('a'))
    take()
    session.receive({ type: 'gibberish' })
    expect(take()).toMatchObject([{ type: 'bye', code: 4400 }])
    expect(closed()).toBe('gently')
    publish.publishAll([check('x', 1)], 6)
    session.receive(subscribe('b'))
    await clock.advance(30_000)
    expect(take()).toEqual([])
    world.close()
    expect(clock.pending).toBe(0)
  })
})

describe('what the client asks besides', () => {
  it('[LIVE-35] refresh wakes the source of its subscription', () => {
    const { world, session, publish } = buildSession()
    session.receive(subscribe('a'))
    session.receive({ type: 'refresh', id: 'a' })
    session.receive({ type: 'refresh', id: 'unknown' })
    expect(publish.wakes).toBe(1)
    world.close()
  })

  it('[LIVE-16] unsubscribe ends the messages of that id only', async () => {
    const { clock, world, session, take, publish } = buildSession()
    publish.publishAll([check('x')], 5)
    session.receive(subscribe('a'))
    session.receive(subscribe('b'))
    session.receive({ type: 'unsubscribe', id: 'a' })
    take()
    publish.publishAll([check('x', 1)], 6)
    await clock.advance(100)
    expect(take()).toMatchObject([{ type: 'delta', id: 'b' }])
    expect(publish.watchers).toBe(1)
    world.close()
  })

  it('a topic name is not a property of the list', () => {
    const { world, session, take } = buildSession()
    for (const topic of ['constructor', '__proto__', 'toString']) {
      session.receive({ type: 'subscribe', id: 'a', topic })
      expect(take()).toMatchObject([{ type: 'denied', code: 'LIVE_TOPIC_UNKNOWN' }])
    }
    expect(checksTopic.name).toBe('checks')
    world.close()
  })
})
