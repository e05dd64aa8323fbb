import { callHttp, readJson, toBasic } from '../../outbound/callHttp.ts'
import { joinUrl } from '../../outbound/joinUrl.ts'
import { OutboundFault } from '../../outbound/outboundFault.ts'
import type { Tester } from '../tester.ts'

/** Asks a query whose answer does not depend on what is stored. */
export const testPrometheus: Tester = async (connection, { network, signal }) => {
  const [username, password] = [connection.text('username'), connection.text('password')]
  const answer = await callHttp(network, signal, {
    url: joinUrl(connection.needed('url'), 'api/v1/query', { query: 'vector(1)' }),
    ...(username + password !== '' && { headers: { authorization: toBasic(username, password) } }),
    tls: connection.tls,
  })
  const { status } = Object(readJson(answer)) as { status?: unknown }
  if (status !== 'success') throw new OutboundFault('it answers, but not like Prometheus')
}
