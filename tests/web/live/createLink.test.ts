import { CLOSE_CODES } from '@watchroom/shared/protocol'
import { describe, expect, it, onTestFinished } from 'vitest'

import { FakeClock } from '#support/fakeClock.ts'

import type { LinkState, SocketHandlers } from '../../../web/src/live/contract.ts'
import { createLink } from '../../../web/src/live/createLink.ts'
import { reconnectDelay } from '../../../web/src/live/reconnectDelay.ts'
import { createServerClock } from '../../../web/src/live/serverClock.ts'

function buildLink(random = 0.5) {
  const clock = new FakeClock()
  const sockets: (SocketHandlers & { at: number; isClosed: boolean; sent: unknown[] })[] = []
  const states: LinkState[] = []
  let unreadable = 0
  /** Milliseconds that passed without timers firing, as in a page that the browser put to sleep. */
  let sleptMs = 0
  const link = createLink({
    clock: { now: clock.now, schedule: clock.schedule, monotonic: () => clock.monotonic() + sleptMs },
    random: () => random,
    openSocket: (handlers) => {
      const socket = { ...handlers, at: clock.monotonic(), isClosed: false, sent: [] as unknown[] }
      sockets.push(socket)
      return {
        send: (message) => socket.sent.push(message),
        close: () => {
          socket.isClosed = true
        },
      }
    },
    onMessage: () => undefined,
    onState: (state) => states.push(state),
    onSilence: () => undefined,
    onUnreadable: () => {
      unreadable += 1
    },
  })
  onTestFinished(() => {
    link.close()
    expect(clock.pending).toBe(0)
  })
  const socket = (): (typeof sockets)[0] => {
    const last = sockets.at(-1)
    if (!last) throw new Error('no socket was opened')
    return last
  }
  const welcome = (): void => socket().onMessage({ type: 'welcome', version: 1, now: 0, beatMs: 2_000 })
  const beat = (): void => socket().onMessage({ type: 'beat', now: 0 })
  const sleep = (durationMs: number): void => {
    sleptMs += durationMs
  }
  return { clock, sleep, link, sockets, states, socket, welcome, beat, unreadable: () => unreadable }
}

describe('a dead link', () => {
  it('[LIVE-41] is noticed 4.5 s after the last message', async () => {
    const { clock, link, socket, welcome, beat } = buildLink()
    welcome()
    await clock.advance(4_000)
    beat()
    await clock.advance(4_400)
    expect(link.state().kind).toBe('open')
    await clock.advance(100)
    expect(link.state().kind).toBe('down')
    expect(socket().isClosed).toBe(true)
  })

  it('[LIVE-41] is not suspected when the page slept: waiting messages get their turn before the verdict', async () => {
    const { clock, sleep, link, welcome, beat } = buildLink()
    welcome()
    sleep(60_000)
    await clock.advance(3_000)
    expect(link.state().kind).toBe('open')
    beat()
    await clock.advance(600)
    expect(link.state().kind).toBe('open')
  })

  it('[LIVE-41] is found after a sleep when nothing waits', async () => {
    const { clock, sleep, link, welcome } = buildLink()
    welcome()
    sleep(60_000)
    await clock.advance(3_500)
    expect(link.state().kind).toBe('down')
  })

  it('[LIVE-42] that never came up is given up after 5 s', async () => {
    const { clock, link, sockets, socket } = buildLink()
    await clock.advance(4_900)
    expect(sockets).toHaveLength(1)
    await clock.advance(100)
    expect(link.state().kind).toBe('down')
    expect(socket().isClosed).toBe(true)
  })

  it('says how long it has been down, over attempts that fail', async () => {
    const { clock, link, welcome, socket } = buildLink()
    welcome()
    expect(link.downMs()).toBeNull()
    socket().onClose()
    await clock.advance(3_000)
    expect(link.downMs()).toBe(3_000)
  })

  it('sends nothing, because a new socket subscribes anew', () => {
    const { link, socket, welcome } = buildLink()
    expect(link.send({ type: 'refresh', id: 'a' })).toBe(false)
    welcome()
    expect(link.send({ type: 'refresh', id: 'a' })).toBe(true)
    const first = socket()
    first.onClose()
    expect(link.send({ type: 'refresh', id: 'a' })).toBe(false)
    expect(first.sent).toHaveLength(1)
  })
})

describe('coming back', () => {
  it('[LIVE-42] takes longer each time, to 15 s, and begins anew after a link that lasted', async () => {
    const { clock, sockets, socket, welcome } = buildLink(1)
    const waits: number[] = []
    for (let attempt = 0; attempt < 7; attempt++) {
      const opened = sockets.length
      const closedAt = clock.monotonic()
      socket().onClose()
      while (sockets.length === opened) await clock.advance(250)
      waits.push(clock.monotonic() - closedAt)
    }
    expect(waits).toEqual([500, 1_000, 2_000, 4_000, 8_000, 15_000, 15_000])
    welcome()
    await clock.advance(4_000)
    socket().onMessage({ type: 'beat', now: 0 })
    await clock.advance(2_000)
    socket().onClose()
    await clock.advance(500)
    expect(sockets).toHaveLength(9)
  })

  it('[LIVE-42] does not begin anew after a link that died at once', async () => {
    const { clock, sockets, socket, welcome } = buildLink(1)
    for (let attempt = 0; attempt < 4; attempt++) {
      welcome()
      await clock.advance(1_000)
      socket().onClose()
      await clock.advance(8_000)
    }
    const opened = sockets.length
    welcome()
    socket().onClose()
    await clock.advance(7_000)
    expect(sockets).toHaveLength(opened)
  })

  it('happens at once when nudged, unless the link is up or coming up', async () => {
    const { link, sockets, socket, welcome } = buildLink()
    link.nudge()
    expect(sockets).toHaveLength(1)
    welcome()
    link.nudge()
    expect(sockets).toHaveLength(1)
    socket().onClose()
    link.nudge()
    expect(sockets).toHaveLength(2)
  })

  it.each([0, 0.5, 1])('[LIVE-42] waits between 0.25 and 15 s with jitter %d', (random) => {
    for (let attempt = 0; attempt < 30; attempt++) {
      const delayMs = reconnectDelay(attempt, () => random)
      expect(delayMs).toBeGreaterThanOrEqual(250)
      expect(delayMs).toBeLessThanOrEqual(15_000)
    }
  })
})

describe('farewells', () => {
  it('[LIVE-45] with a time are obeyed to the millisecond', async () => {
    const { clock, link, sockets, socket, welcome } = buildLink()
    welcome()
    socket().onMessage({ type: 'bye', code: CLOSE_CODES.draining.code, message: 'x', retryMs: 7_300 })
    expect(link.state().kind).toBe('down')
    await clock.advance(7_299)
    expect(sockets).toHaveLength(1)
    await clock.advance(1)
    expect(sockets).toHaveLength(2)
  })

  it('[LIVE-45] that ask for a sign-in end the link until someone nudges it', async () => {
    const { clock, link, sockets, socket, welcome } = buildLink()
    welcome()
    socket().onMessage({ type: 'bye', code: 4401, message: 'Sign in to continue' })
    expect(link.state()).toEqual({ kind: 'ended', reaction: 'signIn', code: 4401, message: 'Sign in to continue' })
    await clock.advance(3_600_000)
    expect(sockets).toHaveLength(1)
    link.nudge()
    expect(sockets).toHaveLength(2)
  })

  it('[LIVE-45] that stop the client are tried again after five minutes', async () => {
    const { clock, sockets, socket, welcome } = buildLink()
    welcome()
    socket().onMessage({ type: 'bye', code: CLOSE_CODES.rateExceeded.code, message: 'x' })
    await clock.advance(299_000)
    expect(sockets).toHaveLength(1)
    await clock.advance(1_000)
    expect(sockets).toHaveLength(2)
  })

  it('[LIVE-45] [LIVE-63] that ask to come back say why there is no link, until there is one', async () => {
    const { clock, link, socket, states, welcome } = buildLink()
    welcome()
    const bye = { code: CLOSE_CODES.draining.code, message: 'The server restarts' }
    socket().onMessage({ type: 'bye', ...bye, retryMs: 100 })
    expect(link.state()).toEqual({ kind: 'down', because: bye })
    await clock.advance(100)
    expect(link.state()).toEqual({ kind: 'connecting', because: bye })
    socket().onClose()
    expect(link.state()).toEqual({ kind: 'down', because: bye })
    link.nudge()
    welcome()
    socket().onClose()
    expect(states.at(-1)).toEqual({ kind: 'down' })
  })

  it('[LIVE-52] at the handshake count the same', async () => {
    const { clock, link, sockets, socket } = buildLink()
    socket().onRefused({ code: 4426, message: 'Reload the page' })
    expect(link.state()).toMatchObject({ kind: 'ended', reaction: 'reload' })
    link.nudge()
    socket().onRefused(undefined)
    expect(link.state().kind).toBe('down')
    await clock.advance(1_000)
    expect(sockets).toHaveLength(3)
  })
})

describe('what a socket says', () => {
  it('counts for nothing once another socket took its place', async () => {
    const { clock, link, sockets, welcome } = buildLink()
    welcome()
    const [old] = sockets
    old?.onClose()
    await clock.advance(1_000)
    expect(sockets).toHaveLength(2)
    old?.onMessage({ type: 'welcome', version: 1, now: 0, beatMs: 2_000 })
    old?.onMessage({ type: 'bye', code: 4401, message: 'x' })
    old?.onClose()
    expect(link.state().kind).toBe('connecting')
  })

  it('is counted when no schema knows it; the link lives on', () => {
    const { link, socket, welcome, unreadable } = buildLink()
    welcome()
    for (const raw of [null, 7, 'x', {}, { type: 'unheard' }]) socket().onMessage(raw)
    expect(unreadable()).toBe(5)
    expect(link.state().kind).toBe('open')
  })
})

describe('the gateway clock', () => {
  it('[LIVE-46] is the local one until the gateway spoke, then the least delayed of its recent times', async () => {
    const clock = new FakeClock(1_000_000)
    const server = createServerClock(clock)
    expect(server.now()).toBe(1_000_000)
    server.observe(2_000_000 - 300)
    await clock.advance(1_000)
    server.observe(2_001_000 - 20)
    await clock.advance(1_000)
    server.observe(2_002_000 - 500)
    expect(server.now()).toBe(2_002_000 - 20)
  })

  it('[LIVE-46] does not follow a step of the local clock, and follows one of the gateway after a while', async () => {
    const clock = new FakeClock(1_000_000)
    const server = createServerClock(clock)
    server.observe(2_000_000)
    clock.step(-500_000)
    expect(server.now()).toBe(2_000_000)
    for (let sample = 0; sample < 16; sample++) server.observe(1_500_000)
    expect(server.now()).toBe(1_500_000)
  })
})
