import type { CheckSummary } from '@watchroom/shared/health'
import { checksTopic, presenceTopic, type ServerMessage } from '@watchroom/shared/protocol'
import { describe, expect, it, onTestFinished } from 'vitest'

import { buildCheck } from '#support/buildCheck.ts'
import { FakeClock } from '#support/fakeClock.ts'
import { LiveWorld, type LiveWorldOptions } from '#support/liveWorld.ts'

const PRESENCE = { page: 'playbooks', id: '018f0000-0000-7000-8000-0000000000a1' } as const
const check = (id: string, passed = 0): CheckSummary => buildCheck({ id, uptime: { passed, failed: 0 } })

function buildWorld(options: Partial<LiveWorldOptions> = {}) {
  const clock = new FakeClock()
  const resyncs: string[] = []
  const world = new LiveWorld({ clock, onResync: (_address, reason) => resyncs.push(reason), ...options })
  const client = world.addClient()
  onTestFinished(() => {
    world.close()
    expect(clock.pending).toBe(0)
  })
  return { clock, world, client, resyncs, checks: world.checks }
}

describe('a watched topic', () => {
  it('[LIVE-44] is loading, then live, then delayed when nothing confirms the rows, then live again', async () => {
    const { clock, world, client, checks } = buildWorld()
    const watch = client.watch(checksTopic, {})
    const states: string[] = []
    watch.onView(() => states.push(watch.view().state))
    expect(watch.view()).toMatchObject({ state: 'loading', rows: [], asOf: null, via: null })
    await world.run(500)
    checks.publishAll([check('a')], clock.now())
    await world.run(1_000)
    expect(watch.view()).toMatchObject({ state: 'live', via: 'socket' })
    expect(watch.view().ageMs()).toBe(1_000)
    await world.run(9_500)
    expect(watch.view().state).toBe('delayed')
    checks.publishAll([check('a')], clock.now())
    await world.run(1_500)
    expect(states).toEqual(['live', 'delayed', 'live'])
  })

  it('[LIVE-44] is loading for 2 s, not delayed, where the first rows are old because nobody looked at them before', async () => {
    const { clock, world, client, checks } = buildWorld()
    checks.publishAll([check('a')], clock.now() - 40_000)
    const watch = client.watch(checksTopic, {})
    const states: string[] = []
    watch.onView(() => states.push(watch.view().state))
    await world.run(1_000)
    expect(watch.view()).toMatchObject({ state: 'loading', rows: [check('a')] })
    await world.run(2_000)
    expect(watch.view().state).toBe('delayed')
    checks.publishAll([check('a')], clock.now())
    await world.run(200)
    expect(new Set(states)).toEqual(new Set(['loading', 'delayed', 'live']))
    expect(states.at(-1)).toBe('live')
  })

  it('[LIVE-43] is offline 3 s after the last word over a link that nobody closed, and live with the next one', async () => {
    const { clock, world, client, checks } = buildWorld()
    const watch = client.watch(checksTopic, {})
    await world.run(100)
    checks.publishAll([check('a')], clock.now())
    await world.run(500)
    // What the gateway says from here on is stuck on its way.
    await clock.advance(2_000)
    expect(watch.view()).toMatchObject({ state: 'live', via: 'socket' })
    await clock.advance(1_200)
    expect(watch.view()).toMatchObject({ state: 'offline', via: 'socket' })
    expect(watch.view().downMs()).toBeGreaterThanOrEqual(3_000)
    expect(client.link().kind).toBe('open')
    await world.deliverAll()
    expect(watch.view()).toMatchObject({ state: 'live', via: 'socket' })
    expect(watch.view().downMs()).toBeNull()
  })

  it('stays live where rows are true until something else is told, without a timer that no browser has', async () => {
    const { clock, world, client, checks } = buildWorld({ freshForMs: Number.MAX_SAFE_INTEGER })
    const watch = client.watch(checksTopic, {})
    await world.run(100)
    checks.publishAll([check('a')], clock.now())
    await world.run(60_000)
    expect(watch.view().state).toBe('live')
  })

  it('does not change its view for age alone', async () => {
    const { clock, world, client, checks } = buildWorld()
    const watch = client.watch(checksTopic, {})
    await world.run(100)
    checks.publishAll([check('a')], clock.now())
    await world.run(200)
    const view = watch.view()
    for (let second = 0; second < 5; second++) {
      checks.publishAll([check('a')], clock.now())
      await world.run(1_000)
    }
    expect(watch.view()).toBe(view)
    expect(view.ageMs()).toBeLessThan(2_000)
  })

  it('[LIVE-46] counts ages by the gateway clock when the local one is wrong', async () => {
    const { clock, world, client, checks } = buildWorld()
    const watch = client.watch(checksTopic, {})
    await world.run(100)
    checks.publishAll([check('a')], clock.now())
    await world.run(200)
    clock.step(-3_600_000)
    await world.run(300)
    expect(watch.view().ageMs()).toBe(500)
    expect(watch.view().state).toBe('live')
  })

  it('[LIVE-18] is subscribed once for all who watch, and left 15 s after the last one went', async () => {
    const { world, client, checks, clock } = buildWorld()
    const first = client.watch(checksTopic, {})
    const second = client.watch(checksTopic, {})
    await world.run(100)
    expect(checks.watchers).toBe(1)
    first.release()
    first.release()
    await world.run(20_000)
    expect(checks.watchers).toBe(1)
    second.release()
    await world.run(14_000)
    const third = client.watch(checksTopic, {})
    await world.run(5_000)
    expect(checks.watchers).toBe(1)
    third.release()
    await world.run(16_000)
    expect(checks.watchers).toBe(0)
    expect(clock.now()).toBeGreaterThan(0)
  })

  it('[LIVE-66] leaves who is present with the last who looks, but not while one page gives way to the next', async () => {
    const { world, client, clock } = buildWorld()
    const first = client.watch(presenceTopic, PRESENCE)
    await world.run(100)
    const underWay = (): string => world.wireOf(client).pair.toServer.messages.join()
    first.release()
    const second = client.watch(presenceTopic, PRESENCE)
    await clock.advance(50)
    expect(underWay()).toBe('')
    second.release()
    await clock.advance(50)
    expect(underWay()).toContain('"type":"unsubscribe"')
  })

  it('[LIVE-35] asks the gateway to read now when refreshed', async () => {
    const { world, client, checks } = buildWorld()
    const watch = client.watch(checksTopic, {})
    await world.run(100)
    watch.view().refresh()
    await world.run(100)
    expect(checks.wakes).toBe(1)
  })

  it('[LIVE-34] shows why the source fails, beside the old rows', async () => {
    const { clock, world, client, checks } = buildWorld()
    const watch = client.watch(checksTopic, {})
    await world.run(100)
    const problem = { code: 'POLLING_UPSTREAM_UNAVAILABLE', message: 'away', consecutiveFailures: 1, nextAttemptAt: 1 }
    checks.fail(problem)
    await world.run(100)
    expect(watch.view()).toMatchObject({
      state: 'failed',
      error: { code: 'POLLING_UPSTREAM_UNAVAILABLE', message: 'away' },
    })
    checks.publishAll([check('a')], clock.now())
    checks.fail(problem)
    await world.run(200)
    expect(watch.view()).toMatchObject({ state: 'live', rows: [{ id: 'a' }], error: { message: 'away' } })
    checks.fail(null)
    await world.run(100)
    expect(watch.view().error).toBeUndefined()
  })

  it('[LIVE-53] is empty and denied once the right is gone, and asks again with the next socket', async () => {
    let mayRead = true
    const { clock, world, client, checks } = buildWorld({ mayRead: () => mayRead })
    const watch = client.watch(checksTopic, {})
    await world.run(100)
    checks.publishAll([check('a')], clock.now())
    await world.run(200)
    mayRead = false
    world.wireOf(client).session().recheckRights()
    await world.run(100)
    expect(watch.view()).toMatchObject({ state: 'denied', rows: [], error: { code: 'LIVE_TOPIC_FORBIDDEN' } })
    mayRead = true
    world.wireOf(client).pair.cut()
    await world.run(2_000)
    expect(watch.view()).toMatchObject({ state: 'live', rows: [{ id: 'a' }] })
  })

  it('[LIVE-53] asks again what it was denied as soon as the person has other rights', async () => {
    let mayRead = false
    const { clock, world, client, checks } = buildWorld({ mayRead: () => mayRead })
    checks.publishAll([check('a')], clock.now())
    const watch = client.watch(checksTopic, {})
    await world.run(100)
    expect(watch.view().state).toBe('denied')
    mayRead = true
    world.wireOf(client).pair.toClient.push({ type: 'rights' })
    await world.run(2_000)
    expect(watch.view()).toMatchObject({ state: 'live', rows: [{ id: 'a' }] })
  })

  it('[LIVE-53] asks once more where the answer after the change is one from before it', async () => {
    let mayRead = false
    const { clock, world, client, checks } = buildWorld({ mayRead: () => mayRead })
    const watch = client.watch(checksTopic, {})
    await world.run(100)
    world.wireOf(client).pair.toClient.push({ type: 'rights' })
    await world.run(2_000)
    mayRead = true
    checks.publishAll([check('a')], clock.now())
    await world.run(6_000)
    expect(watch.view()).toMatchObject({ state: 'live', rows: [{ id: 'a' }] })
  })

  it('[LIVE-53] asks again after a minute what a backend denied that tells nobody about rights, and says so until it is answered', async () => {
    let mayRead = false
    const { clock, world, client, checks } = buildWorld({ mayRead: () => mayRead })
    const watch = client.watch(checksTopic, {})
    await world.run(100)
    const states = new Set<string>()
    watch.onView(() => states.add(watch.view().state))
    await world.run(130_000)
    expect(watch.view()).toMatchObject({ state: 'denied', error: { code: 'LIVE_TOPIC_FORBIDDEN' } })
    expect([...states]).toEqual([])
    mayRead = true
    checks.publishAll([check('a')], clock.now())
    await world.run(70_000)
    expect(watch.view().rows).toMatchObject([{ id: 'a' }])
  })

  it('[LIVE-55] reads by itself while the gateway has too many of its subscriptions, and is live when there is room', async () => {
    const { clock, world, client, checks } = buildWorld({ settings: { maxSubscriptions: 1 } })
    const other = client.watch(presenceTopic, PRESENCE)
    await world.run(100)
    const watch = client.watch(checksTopic, {}, { fetchRows: async () => [check('polled')] })
    await world.run(500)
    expect(watch.view()).toMatchObject({
      state: 'offline',
      via: 'polling',
      rows: [{ id: 'polled' }],
      error: { code: 'LIVE_TOO_MANY_TOPICS' },
    })
    other.release()
    checks.publishAll([check('a')], clock.now())
    await world.run(31_500)
    checks.publishAll([check('a')], clock.now())
    await world.run(3_000)
    expect(watch.view()).toMatchObject({ state: 'live', via: 'socket', rows: [{ id: 'a' }] })
    expect(watch.view().error).toBeUndefined()
  })

  it.each([
    ['reads by itself', { fetchRows: async () => [check('a', 1)] }, 'polling', 1],
    ['cannot', {}, 'socket', 0],
  ] as const)(
    '[LIVE-55] keeps its rows where after a reconnect there is no room any more, also where it %s',
    async (_what, options, via, passed) => {
      const settings = { maxSubscriptions: 2 }
      const { clock, world, client, checks } = buildWorld({ settings, freshForMs: 3_600_000 })
      const other = client.watch(presenceTopic, PRESENCE)
      const watch = client.watch(checksTopic, {}, options)
      await world.run(100)
      checks.publishAll([check('a')], clock.now())
      await world.run(500)
      expect(watch.view()).toMatchObject({ state: 'live', rows: [{ id: 'a' }] })
      const counts = new Set<number>()
      watch.onView(() => counts.add(watch.view().rows.length))
      settings.maxSubscriptions = 1
      world.restart()
      await world.run(5_000)
      expect(watch.view()).toMatchObject({ state: 'offline', via, rows: [{ uptime: { passed } }] })
      expect(watch.view().error).toMatchObject({ code: 'LIVE_TOO_MANY_TOPICS' })
      other.release()
      await world.run(35_000)
      checks.publishAll([check('a', 2)], clock.now())
      await world.run(1_000)
      expect(watch.view()).toMatchObject({ state: 'live', via: 'socket', rows: [{ uptime: { passed: 2 } }] })
      expect([...counts]).toEqual([1])
    },
  )

  it('[LIVE-55] has failed, not been denied, where it cannot read by itself, and asks again at once when told to', async () => {
    const { clock, world, client, checks } = buildWorld({ settings: { maxSubscriptions: 1 } })
    const other = client.watch(presenceTopic, PRESENCE)
    await world.run(100)
    const watch = client.watch(checksTopic, {})
    await world.run(500)
    expect(watch.view()).toMatchObject({ state: 'failed', error: { code: 'LIVE_TOO_MANY_TOPICS' } })
    other.release()
    await world.run(100)
    checks.publishAll([check('a')], clock.now())
    watch.view().refresh()
    await world.run(500)
    expect(watch.view()).toMatchObject({ state: 'live', rows: [{ id: 'a' }] })
  })
})

describe('what goes wrong on the way', () => {
  it('[LIVE-15] a lost delta is found by the next heartbeat', async () => {
    const { clock, world, client, checks, resyncs } = buildWorld()
    const watch = client.watch(checksTopic, {})
    await world.run(100)
    checks.publishAll([check('a')], clock.now())
    await world.run(200)
    checks.publishAll([check('a', 1)], clock.now())
    await clock.advance(100)
    const { toClient } = world.wireOf(client).pair
    expect(toClient.messages).toHaveLength(1)
    toClient.drop()
    await world.run(1_000)
    expect(watch.view().rows[0]?.uptime.passed).toBe(0)
    await world.run(10_000)
    expect(watch.view().rows[0]?.uptime.passed).toBe(1)
    expect(resyncs).toEqual(['gap'])
  })

  it('[LIVE-17] a subscription that nobody answers is made anew after 10 s', async () => {
    const { clock, world, client, checks, resyncs } = buildWorld()
    const watch = client.watch(checksTopic, {})
    await world.deliverAll()
    checks.publishAll([check('a')], clock.now())
    await clock.advance(100)
    const wire = world.wireOf(client)
    while (wire.pair.toClient.messages.length > 0) wire.pair.toClient.drop()
    await world.run(9_000)
    expect(watch.view().state).toBe('loading')
    await world.run(2_000)
    expect(watch.view().rows).toHaveLength(1)
    expect(resyncs).toContain('timeout')
  })

  it('[LIVE-16] messages of an earlier subscription count for nothing', async () => {
    const { clock, world, client, checks } = buildWorld()
    const watch = client.watch(checksTopic, {})
    await world.run(100)
    checks.publishAll([check('a')], clock.now())
    await world.run(200)
    const stale: ServerMessage = {
      type: 'snapshot',
      id: 's0',
      epoch: 'other',
      offset: 99,
      asOf: 1,
      now: 1,
      freshForMs: 1,
      page: 0,
      pages: 1,
      rows: [],
    }
    world.wireOf(client).pair.toClient.push(stale)
    await world.deliverAll()
    expect(watch.view().rows).toHaveLength(1)
  })

  it('[LIVE-14] unreadable rows make it start over, slower and slower, and say so', async () => {
    const { clock, world, client, checks, resyncs } = buildWorld()
    const watch = client.watch(checksTopic, {})
    await world.run(100)
    checks.publishAll([{ ...check('a'), uptime: 'nonsense' } as never], clock.now())
    await world.run(20_000)
    expect(watch.view()).toMatchObject({ state: 'failed', error: { code: 'LIVE_UNREADABLE' } })
    expect(resyncs.length).toBeGreaterThan(3)
    expect(resyncs.length).toBeLessThan(12)
    checks.publishAll([check('a')], clock.now())
    await world.run(11_000)
    expect(watch.view()).toMatchObject({ rows: [{ id: 'a' }] })
    expect(watch.view().error).toBeUndefined()
  })

  it('[LIVE-4] a restarted gateway has another epoch: a snapshot replaces the rows, equal ones stay the same', async () => {
    const { clock, world, client, checks } = buildWorld()
    const watch = client.watch(checksTopic, {})
    await world.run(100)
    checks.publishAll([check('a'), check('b')], clock.now())
    await world.run(200)
    const before = watch.view().rows
    world.restart()
    checks.publishAll([check('a'), check('b', 1)], clock.now())
    await world.run(2_000)
    expect(watch.table()?.epoch).not.toBe('e1')
    expect(watch.view().rows[0]).toBe(before[0])
    expect(watch.view().rows[1]?.uptime.passed).toBe(1)
  })

  it('[LIVE-40] packed messages keep their order with those that are not, even when unpacking takes time', async () => {
    const { clock, world, checks } = buildWorld({ canUnpack: true, settings: { packBytes: 10_000 } })
    const { inflateRawSync } = await import('node:zlib')
    const slow = world.addClient({
      inflate: (data) =>
        new Promise((resolve) => {
          clock.schedule(() => resolve(inflateRawSync(data).toString()), 500)
        }),
    })
    const watch = slow.watch(checksTopic, {})
    await world.run(100)
    checks.publishAll([check('a')], clock.now())
    await world.run(200)
    checks.publishAll([check('a', 7)], clock.now())
    await world.run(200)
    expect(watch.view().rows).toEqual([])
    await world.run(1_000)
    expect(watch.view().rows[0]?.uptime.passed).toBe(7)
  })
})

describe('without a gateway', () => {
  const setUp = async (
    options: {
      answers?: () => readonly CheckSummary[] | Promise<readonly CheckSummary[]>
      refreshMs?: number | null
    } = {},
  ) => {
    const built = buildWorld()
    const { clock, world, client, checks } = built
    const asked: number[] = []
    const signals: AbortSignal[] = []
    const watch = client.watch(
      checksTopic,
      {},
      {
        fetchRows: async (signal) => {
          asked.push(clock.monotonic())
          signals.push(signal)
          return options.answers?.() ?? [check('a'), check('b', 5)]
        },
        refreshMs: options.refreshMs,
      },
    )
    await world.run(250)
    checks.publishAll([check('a'), check('b')], clock.now())
    await world.run(250)
    const downAt = clock.monotonic()
    world.isUp = false
    world.wireOf(client).pair.cut()
    return { ...built, watch, asked: () => asked.map((time) => Math.round((time - downAt) / 1_000)), signals, downAt }
  }

  it('[LIVE-43] the rows stay, and are offline 3 s after the last word of the gateway', async () => {
    const { world, watch } = await setUp({ refreshMs: null })
    await world.run(2_500)
    expect(watch.view()).toMatchObject({ state: 'live', via: 'socket' })
    await world.run(600)
    expect(watch.view()).toMatchObject({ state: 'offline', via: 'socket' })
    expect(watch.view().rows).toHaveLength(2)
    expect(watch.view().downMs()).toBeGreaterThanOrEqual(3_000)
  })

  it('[LIVE-43] they are polled by REST after 5 s, then every 30 s; unchanged rows stay the same', async () => {
    const { world, watch, asked, clock } = await setUp()
    const before = watch.view().rows
    await world.run(5_100)
    expect(watch.view()).toMatchObject({ state: 'offline', via: 'polling' })
    expect(watch.view().rows[0]).toBe(before[0])
    expect(watch.view().rows[1]?.uptime.passed).toBe(5)
    await world.run(70_000)
    const times = asked()
    expect(times[0]).toBe(5)
    for (const [index, time] of times.slice(1).entries()) {
      expect(time - (times[index] ?? 0)).toBeGreaterThanOrEqual(30)
      expect(time - (times[index] ?? 0)).toBeLessThanOrEqual(33)
    }
    expect(watch.view().ageMs()).toBeLessThan(33_000)
    expect(clock.monotonic()).toBeGreaterThan(70_000)
  })

  it('[LIVE-43] at the rate the screen asks for', async () => {
    const { world, asked } = await setUp({ refreshMs: 60_000 })
    await world.run(130_000)
    expect(asked()).toHaveLength(2)
  })

  it('[LIVE-42] polling ends with the link; the topic resumes from its position', async () => {
    const { world, watch, asked, client, checks, clock } = await setUp()
    await world.run(6_000)
    world.isUp = true
    await world.run(16_000)
    expect(client.link().kind).toBe('open')
    expect(watch.view()).toMatchObject({ state: 'delayed', via: 'socket' })
    checks.publishAll([check('a'), check('b', 6)], clock.now())
    await world.run(200)
    expect(watch.view()).toMatchObject({ state: 'live', via: 'socket' })
    expect(watch.view().rows[1]?.uptime.passed).toBe(6)
    expect(world.wireOf(client).sent.map((message) => (message as ServerMessage).type)).not.toContain('snapshot')
    await world.run(60_000)
    expect(asked()).toHaveLength(1)
  })

  it('a poll that fails is told beside the old rows, and tried again', async () => {
    let isDown = true
    const { world, watch, asked } = await setUp({
      answers: () => {
        if (isDown) throw new Error('no route')
        return [check('c')]
      },
    })
    await world.run(5_100)
    expect(watch.view()).toMatchObject({ state: 'offline', error: { code: 'LIVE_POLL_FAILED', message: 'no route' } })
    expect(watch.view().rows).toHaveLength(2)
    isDown = false
    await world.run(34_000)
    expect(asked()).toHaveLength(2)
    expect(watch.view()).toMatchObject({ state: 'offline', via: 'polling', rows: [{ id: 'c' }] })
    expect(watch.view().error).toBeUndefined()
  })

  it('a poll still under way is aborted when a new one starts, and the interval begins anew', async () => {
    let answer: (rows: CheckSummary[]) => void = () => undefined
    let isSlow = true
    const { world, watch, asked, signals } = await setUp({
      answers: () => (isSlow ? new Promise((resolve) => (answer = resolve)) : [check('new')]),
    })
    await world.run(5_100)
    const [first] = signals
    const answerFirst = answer
    isSlow = false
    await world.run(10_000)
    watch.view().refresh()
    await world.run(100)
    answerFirst([check('old')])
    await world.run(100)
    expect([first?.aborted, signals[1]?.aborted]).toEqual([true, false])
    expect(watch.view().rows).toMatchObject([{ id: 'new' }])
    await world.run(34_000)
    expect(asked()).toHaveLength(3)
  })

  it('refresh polls at once', async () => {
    const { world, watch, asked } = await setUp()
    await world.run(1_000)
    watch.view().refresh()
    await world.run(100)
    expect(asked()).toEqual([1])
  })
})
