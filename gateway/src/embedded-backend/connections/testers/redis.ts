import { redisRunner } from '../../../check-runner/types/redis.ts'
import { OutboundFault } from '../../outbound/outboundFault.ts'
import type { Tester } from '../tester.ts'

const DEFAULT_PORT = 6_379

/** Signs in, chooses the database and sends PING, as a check does. */
export const testRedis: Tester = async (connection, { network, signal, clock, logger }) => {
  const address = connection.needed('url')
  const text = address.includes('://') ? address : `redis://${address}`
  const url = URL.canParse(text) ? new URL(text) : null
  if (url === null || url.hostname === '') throw new OutboundFault('URL: it cannot be read')
  const db = connection.number('db')
  const port = url.port === '' ? DEFAULT_PORT : Number(url.port)
  const isTls = url.protocol === 'rediss:'
  // A certificate is for a name; without one the address that was judged is the one that is called.
  const where = isTls ? { host: url.hostname, port } : await network.resolve({ host: url.hostname, port })
  if (isTls) await network.resolve(where)
  const username = connection.text('username') || decodeURIComponent(url.username)
  const password = connection.text('password') || decodeURIComponent(url.password)
  const outcome = await redisRunner.run(
    {
      addr: `${where.host.includes(':') ? `[${where.host}]` : where.host}:${where.port}`,
      db,
      ...(username !== '' && { username }),
      ...(password !== '' && { password }),
      ...(isTls && { tls: true, insecureSkipVerify: connection.tls.isInsecure }),
    },
    { signal, clock, logger },
  )
  if (!outcome.passed) throw new OutboundFault(outcome.error ?? 'it does not answer')
}
