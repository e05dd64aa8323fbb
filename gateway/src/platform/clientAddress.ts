import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'

import { plainAddress } from './plainAddress.ts'

/**
 * The address that an upgrade comes from, judged as Fastify judges requests: the last one in `X-Forwarded-For` that is not a
 * trusted proxy's. Upgrades that a library takes itself never become a Fastify request.
 */
export function createClientAddress(
  isTrustedProxy: (address: string) => boolean,
): (request: IncomingMessage) => string {
  return (request) => {
    const header = [request.headers['x-forwarded-for'] ?? []].flat().join(',')
    const forwarded = header.split(',').map((part) => part.trim())
    let address = plainAddress(request.socket.remoteAddress ?? '')
    while (isTrustedProxy(address)) {
      const before = forwarded.pop()
      if (before === undefined || isIP(before) === 0) break
      address = plainAddress(before)
    }
    return address
  }
}
