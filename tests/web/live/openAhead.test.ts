import { describe, expect, it } from 'vitest'

import { FakeClock } from '#support/fakeClock.ts'

import type { SocketHandlers } from '../../../web/src/live/contract.ts'
import { openAhead } from '../../../web/src/live/openAhead.ts'

interface FakeSocket extends SocketHandlers {
  isClosed: boolean
}

function build() {
  const clock = new FakeClock()
  const sockets: FakeSocket[] = []
  const open = openAhead((handlers) => {
    const socket = { ...handlers, isClosed: false }
    sockets.push(socket)
    return { send: () => undefined, close: () => void (socket.isClosed = true) }
  }, clock)
  return { clock, sockets, open }
}

function listen() {
  const heard: unknown[] = []
  const handlers: SocketHandlers = {
    onMessage: (raw) => heard.push(raw),
    onRefused: (data) => heard.push(['refused', data]),
    onClose: () => heard.push('closed'),
  }
  return { heard, handlers }
}

describe('a socket that is opened ahead', () => {
  it('goes to the first who wants one, with what was said on it, after they have it in their hands', async () => {
    const { clock, sockets, open } = build()
    sockets[0]?.onMessage('welcome')
    const { heard, handlers } = listen()
    open(handlers)
    expect(sockets).toHaveLength(1)
    expect(heard).toEqual([])
    await Promise.resolve()
    sockets[0]?.onMessage('snapshot')
    sockets[0]?.onClose()
    expect(heard).toEqual(['welcome', 'snapshot', 'closed'])
    expect(clock.pending).toBe(0)
  })

  it('is for one: the next opens another', async () => {
    const { sockets, open } = build()
    open(listen().handlers)
    const { heard, handlers } = listen()
    open(handlers)
    await Promise.resolve()
    expect(sockets).toHaveLength(2)
    sockets[0]?.onMessage('for the first')
    sockets[1]?.onMessage('for the second')
    expect(heard).toEqual(['for the second'])
  })

  it.each([
    ['closed', (socket: FakeSocket) => socket.onClose()],
    ['refused', (socket: FakeSocket) => socket.onRefused({ code: 4401 })],
  ])('is forgotten when it was %s meanwhile', async (_, end) => {
    const { clock, sockets, open } = build()
    const [first] = sockets
    if (first) end(first)
    const { heard, handlers } = listen()
    open(handlers)
    await Promise.resolve()
    expect(sockets).toHaveLength(2)
    expect(heard).toEqual([])
    expect(clock.pending).toBe(0)
  })

  it('is closed when nobody wants it for 5 s', async () => {
    const { clock, sockets, open } = build()
    await clock.advance(5_000)
    expect(sockets[0]?.isClosed).toBe(true)
    open(listen().handlers)
    expect(sockets).toHaveLength(2)
    expect(sockets[1]?.isClosed).toBe(false)
  })
})
