import { isIPv6 } from 'node:net'

import { plainAddress } from './plainAddress.ts'

/** Groups of an IPv6 address that name the network: whoever has one address of a /64 has all of them. */
const NETWORK_GROUPS = 4

/**
 * What counts as one address when attempts and connections are counted.
 *
 * @param address undefined once the caller's connection has closed, even where Fastify types `request.ip` as a string
 * @returns an IPv4 address as it is, also a mapped one; the /64 of an IPv6 address
 */
export function addressBlock(address: string | undefined): string {
  const plain = plainAddress((address ?? '').replace(/%.*$/, '').toLowerCase())
  if (!isIPv6(plain)) return plain
  const [head = '', tail] = plain.split('::', 2)
  const before = head === '' ? [] : head.split(':')
  const after = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - before.length - after.length)
  const groups = [...before, ...Array.from({ length: zeros }, () => '0'), ...after]
  return `${groups
    .slice(0, NETWORK_GROUPS)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`
}
