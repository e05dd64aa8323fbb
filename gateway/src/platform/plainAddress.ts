import { isIPv4 } from 'node:net'

/** An IPv4 address that a socket of IPv6 knows as a mapped one as it is elsewhere; any other as it is. */
export const plainAddress = (address: string): string => /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1] ?? address

/** Whether an address, or a name, is this machine's own. */
export function isLoopback(host: string): boolean {
  const plain = plainAddress(host)
  return plain === 'localhost' || plain === '::1' || (isIPv4(plain) && plain.startsWith('127.'))
}
