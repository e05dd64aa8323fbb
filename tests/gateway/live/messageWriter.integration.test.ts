import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

import { LIVE_EVENT, type ServerMessage } from '@watchroom/shared/protocol'
import { Server, type Socket } from 'socket.io'
import { io as connect } from 'socket.io-client'
import { afterEach, expect, it, vi } from 'vitest'

import { eventually } from '#support/eventually.ts'

import { createMessageWriter } from '../../../gateway/src/live/createMessageWriter.ts'

const closes: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closes.splice(0)) await close()
})

/** A Socket.IO server as the gateway has one, and clients that keep what they get. */
async function useSockets(count: number) {
  const http = createServer()
  const io = new Server(http, { transports: ['websocket'], perMessageDeflate: false })
  http.listen(0, '127.0.0.1')
  await once(http, 'listening')
  const sockets: Socket[] = []
  io.on('connection', (socket) => sockets.push(socket))
  const received = Array.from({ length: count }, () => {
    const messages: unknown[] = []
    const client = connect(`http://127.0.0.1:${(http.address() as AddressInfo).port}`, { transports: ['websocket'] })
    client.on(LIVE_EVENT, (message: unknown) => messages.push(message))
    closes.push(() => client.disconnect())
    return messages
  })
  closes.push(() => io.close())
  await eventually(() => expect(sockets).toHaveLength(count))
  return { io, sockets, received }
}

const toDelta = (text: string): ServerMessage => ({
  type: 'delta',
  id: 's1',
  epoch: 'e',
  from: 0,
  to: 1,
  ops: [{ op: 'upsert', key: 'a', set: { text } }],
  asOf: 1,
})

it('carries messages of any length, in text and in bytes, in the order of the calls', async () => {
  const { io, sockets, received } = await useSockets(1)
  const write = createMessageWriter(io)
  const bytes: ServerMessage = { type: 'packed', id: 's1', data: new Uint8Array([0, 1, 2, 255]) }
  const messages = [0, 1, 125, 126, 65_535, 65_536, 300_000].map((length) => toDelta('ä'.repeat(length)))
  for (const message of [...messages, bytes, toDelta('last')]) write(sockets[0]!, message)
  sockets[0]?.emit(LIVE_EVENT, 'from Socket.IO itself')
  await eventually(() => expect(received[0]).toHaveLength(messages.length + 3))
  expect(received[0]?.slice(0, messages.length)).toEqual(messages)
  expect(received[0]?.slice(messages.length)).toEqual([
    { type: 'packed', id: 's1', data: Buffer.from([0, 1, 2, 255]) },
    toDelta('last'),
    'from Socket.IO itself',
  ])
})

it('encodes once what several sockets get', async () => {
  const { io, sockets, received } = await useSockets(3)
  const encode = vi.spyOn(io.encoder, 'encode')
  const write = createMessageWriter(io)
  const message = toDelta('for all')
  for (const socket of sockets) write(socket, message)
  await eventually(() => expect(received).toEqual([[message], [message], [message]]))
  expect(encode).toHaveBeenCalledTimes(1)
})
