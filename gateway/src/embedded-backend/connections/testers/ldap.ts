import { ownValue } from '@watchroom/shared/kernel'

import { OutboundFault } from '../../outbound/outboundFault.ts'
import type { Tester } from '../tester.ts'

const PORTS: Readonly<Record<string, number>> = { 'ldap:': 389, 'ldaps:': 636 }
const TIMEOUT_MS = 10_000

/** Binds with name and password. */
export const testLdap: Tester = async (connection, { network, signal }) => {
  const address = connection.needed('url')
  const url = URL.canParse(address) ? new URL(address) : null
  const defaultPort = ownValue(PORTS, url?.protocol ?? '')
  if (url === null || defaultPort === undefined) throw new OutboundFault('URL: it must begin with ldap:// or ldaps://')
  const { host, port } = await network.resolve({
    host: url.hostname,
    port: url.port === '' ? defaultPort : Number(url.port),
  })
  // Loaded when it is wanted: few installations have such a connection.
  const { Client } = await import('ldapts')
  signal.throwIfAborted()
  const client = new Client({
    url: `${url.protocol}//${host.includes(':') ? `[${host}]` : host}:${port}`,
    timeout: TIMEOUT_MS,
    connectTimeout: TIMEOUT_MS,
    ...(url.protocol === 'ldaps:' && {
      tlsOptions: {
        servername: url.hostname,
        rejectUnauthorized: !connection.tls.isInsecure,
        ...(network.ca !== undefined && { ca: network.ca }),
      },
    }),
  })
  const stop = (): void => void client.unbind().catch(() => undefined)
  signal.addEventListener('abort', stop, { once: true })
  try {
    await client.bind(connection.needed('username'), connection.needed('password'))
  } catch (error) {
    throw toFault(error)
  } finally {
    signal.removeEventListener('abort', stop)
    stop()
  }
}

/** Servers may answer with a code alone, which the library then says in figures; the name of its error says it in words. */
function toFault(error: unknown): unknown {
  if (!(error instanceof Error) || !/^\s*Code: 0x/.test(error.message)) return error
  const words = error.name.replace(/Error$/, '').replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ')
  // Without its cause, whose words would stand for these.
  return new OutboundFault(words.toLowerCase())
}
