import { OutboundFault } from '../../outbound/outboundFault.ts'
import type { Tester } from '../tester.ts'

const DEFAULT_PORT = 3_306
/** As Go programs write it: `user:password@tcp(host:3306)/database`. */
const GO_ADDRESS = /^(?:[^@]*@)?tcp\((?<authority>[^()]+)\)(?<rest>\/.*)?$/

/** Signs in and sends a ping. */
export const testMysql: Tester = async (connection, { network, signal }) => {
  const address = connection.needed('url')
  const { authority, rest = '' } = GO_ADDRESS.exec(address)?.groups ?? {}
  const text = authority === undefined ? address : `mysql://${authority}${rest}`
  const url = URL.canParse(text) ? new URL(text) : null
  if (url?.protocol !== 'mysql:' || url.hostname === '')
    throw new OutboundFault('URL: it must look like mysql://host:3306/database')
  const tls = url.searchParams.get('tls') ?? 'false'
  const socket = await network.open({
    host: url.hostname,
    port: url.port === '' ? DEFAULT_PORT : Number(url.port),
    tls: null,
    signal,
  })
  try {
    // Loaded when it is wanted: few installations have such a connection.
    const { createConnection } = await import('mysql2/promise')
    const client = await createConnection({
      stream: socket,
      user: connection.needed('username'),
      password: connection.needed('password'),
      ...(url.pathname.length > 1 && { database: decodeURIComponent(url.pathname.slice(1)) }),
      ...(tls !== 'false' && { ssl: { rejectUnauthorized: tls !== 'skip-verify' } }),
    })
    await client.ping()
    await client.end()
  } finally {
    socket.destroy()
  }
}
