import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import { LIVE_EVENT } from '@watchroom/shared/protocol'
import { WebSocket as WebSocketTransport } from 'socket.io-client'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'

import { eventually } from '#support/eventually.ts'

import type { SocketHandlers } from '../../../web/src/live/contract.ts'
import { createOpenSocket } from '../../../web/src/live/openSocket.ts'
import '../../../web/src/live/socketAhead.ts'

const ADDRESS = `${location.origin.replace('http', 'ws')}/socket.io/?EIO=4&transport=websocket`
const WELCOME = { type: 'welcome', version: 1, now: 0, beatMs: 600_000 }

/** What a page does with a browser's socket. */
class FakeSocket {
  readonly sent: string[] = []
  onopen: ((event: Event) => void) | null = null
  onmessage: ((event: Event) => void) | null = null
  onclose: ((event: Event) => void) | null = null
  readonly url: string
  readyState: number

  constructor(url = ADDRESS, readyState: number = WebSocket.OPEN) {
    this.url = url
    this.readyState = readyState
  }

  send(text: string): void {
    this.sent.push(text)
  }

  close(): void {
    this.readyState = WebSocket.CLOSED
  }

  dispatchEvent(event: Event): boolean {
    if (event.type === 'open') this.onopen?.(event)
    else this.onmessage?.(event)
    return true
  }
}

const message = (data: string): Event => new MessageEvent('message', { data })
const HANDSHAKE = [
  new Event('open'),
  message(`0${JSON.stringify({ sid: 's', upgrades: [], pingInterval: 25_000, pingTimeout: 20_000 })}`),
]

const ADMITTED = [message('40{"sid":"t"}'), message(`42${JSON.stringify([LIVE_EVENT, WELCOME])}`)]

const heard: unknown[] = []
const handlers: SocketHandlers = {
  onMessage: (raw) => void heard.push(raw),
  onRefused: () => undefined,
  onClose: () => void heard.push('closed'),
}
/** What the page opens where it goes on with none. */
let later: FakeSocket[]

beforeEach(() => {
  heard.length = 0
  later = []
  vi.spyOn(WebSocketTransport.prototype, 'createSocket').mockImplementation((url) => {
    const socket = new FakeSocket(url, WebSocket.CONNECTING)
    later.push(socket)
    return socket
  })
})

afterEach(() => {
  delete window.watchroomSocket
  vi.restoreAllMocks()
})

/** How the page says who asks before its scripts are there. */
const HELLO =
  /const hello = '(.*)'/.exec(
    readFileSync(join(import.meta.dirname, '../../../web/src/api/firstQuestions.js'), 'utf8'),
  )?.[1] ?? ''

const openAhead = (socket: FakeSocket, events: readonly Event[]): FakeSocket => {
  // All that the transport uses of a browser's socket.
  window.watchroomSocket = { socket: socket as unknown as WebSocket, events, hello: HELLO }
  return socket
}

it('is gone on with: what it heard is heard, and what it said is not said again', async () => {
  const socket = openAhead(new FakeSocket(), [...HANDSHAKE, ...ADMITTED])
  const open = createOpenSocket()
  const link = open(handlers)
  await eventually(() => expect(heard).toEqual([WELCOME]))
  link.send({ type: 'unsubscribe', id: 'a' })
  await eventually(() =>
    expect(socket.sent).toEqual([`42${JSON.stringify([LIVE_EVENT, { type: 'unsubscribe', id: 'a' }])}`]),
  )
  expect(later).toEqual([])
  // The next one is another's.
  open(handlers).close()
  expect(later.map(({ url }) => url)).toEqual([ADDRESS])
  link.close()
})

it('says itself who asks where it was not open yet, in the same words', async () => {
  const socket = openAhead(new FakeSocket(ADDRESS, WebSocket.CONNECTING), [])
  const link = createOpenSocket()(handlers)
  await Promise.resolve()
  for (const event of HANDSHAKE) socket.dispatchEvent(event)
  await eventually(() => expect(socket.sent).toEqual([HELLO]))
  for (const event of ADMITTED) socket.dispatchEvent(event)
  await eventually(() => expect(heard).toEqual([WELCOME]))
  expect(later).toEqual([])
  link.close()
})

it.each([
  ['has ended', new FakeSocket(ADDRESS, WebSocket.CLOSED)],
  ['leads elsewhere', new FakeSocket(`${ADDRESS}&organization=0a1b`)],
])('is not gone on with when it %s', (_why, socket) => {
  openAhead(socket, HANDSHAKE)
  createOpenSocket()(handlers).close()
  expect(later).toHaveLength(1)
  expect(window.watchroomSocket).toBeUndefined()
})

it('is not gone on with by a screen without an account: it was opened for a person', () => {
  openAhead(new FakeSocket(), HANDSHAKE)
  createOpenSocket('', undefined, 'device')(handlers).close()
  expect(later).toHaveLength(1)
  expect(window.watchroomSocket).toBeDefined()
})
