import type { Server, Socket } from 'node:net'

import { addressBlock } from '../platform/addressBlock.ts'
import { isLoopback } from '../platform/plainAddress.ts'

export interface ConnectionLimits {
  /** Open connections of one IPv4 address, or of one /64 of IPv6. */
  readonly perAddress: number
  /** Of loopback, and of a proxy that is named: many people stand behind it. */
  readonly perProxy: number
}

/** A browser opens six and two sockets, an office shares an address. */
export const CONNECTION_LIMITS: ConnectionLimits = { perAddress: 1_000, perProxy: 10_000 }

/** Closes what one address opens beyond its share, before a byte of it is read: half-sent requests cost memory and time. */
export function limitConnections(
  server: Server,
  limits: ConnectionLimits,
  isTrustedProxy: (address: string | undefined) => boolean,
): void {
  /** By block. Only those with an open connection are here. */
  const open = new Map<string, number>()
  server.on('connection', (socket: Socket) => {
    const address = socket.remoteAddress ?? ''
    const block = addressBlock(socket.remoteAddress)
    const count = (open.get(block) ?? 0) + 1
    const limit = isLoopback(address) || isTrustedProxy(address) ? limits.perProxy : limits.perAddress
    if (count > limit) {
      socket.destroy()
      return
    }
    open.set(block, count)
    socket.once('close', () => {
      const left = (open.get(block) ?? 1) - 1
      if (left === 0) open.delete(block)
      else open.set(block, left)
    })
  })
}
