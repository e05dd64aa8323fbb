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
  const username = connection.text('username') || decodeURIComponent(url.username)
  const password = connection.text('password') || decodeURIComponent(url.password)
  const outcome = await redisRunner.run(
    {
      addr: `${url.hostname}:${port}`,
      db,
      ...(username !== '' && { username }),
      ...(password !== '' && { password }),
      ...(url.protocol === 'rediss:' && { tls: true, insecureSkipVerify: connection.tls.isInsecure }),
    },
    { signal, clock, logger, wayOut: network },
  )
  if (!outcome.passed) throw new OutboundFault(outcome.error ?? 'it does not answer')
}
