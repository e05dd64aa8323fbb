import { EventEmitter } from 'node:events'
import { Server, Socket } from 'node:net'

import { expect, it } from 'vitest'

import { limitConnections } from '../../../gateway/src/app/limitConnections.ts'

/** A socket as the server hands it over. Addresses of a network that this machine is not in. */
function connect(server: Server, remoteAddress: string): Socket {
  const socket = new Socket()
  Object.defineProperty(socket, 'remoteAddress', { value: remoteAddress })
  server.emit('connection', socket)
  return socket
}

function listen(): Server {
  const server = new Server()
  limitConnections(server, { perAddress: 2, perProxy: 3 }, (address) => address === '198.51.100.7')
  return server
}

it('counts a network of IPv6 as one address', () => {
  const server = listen()
  const sockets = ['2001:db8::1', '2001:db8::2', '2001:db8::3', '2001:db8:0:1::1'].map((one) => connect(server, one))
  expect(sockets.map(({ destroyed }) => destroyed)).toEqual([false, false, true, false])
})

it('counts mapped addresses as what they are, and gives back what was closed', async () => {
  const server = listen()
  const first = connect(server, '::ffff:203.0.113.9')
  connect(server, '203.0.113.9')
  expect(connect(server, '::ffff:203.0.113.9').destroyed).toBe(true)
  const closed = EventEmitter.once(first, 'close')
  first.destroy()
  await closed
  expect(connect(server, '203.0.113.9').destroyed).toBe(false)
})

it('gives a proxy and this machine their own share', () => {
  const server = listen()
  for (const address of ['198.51.100.7', '::1']) {
    const sockets = Array.from({ length: 4 }, () => connect(server, address))
    expect(sockets.map(({ destroyed }) => destroyed)).toEqual([false, false, false, true])
  }
})
