import { callHttp, readJson, toBasic } from '../../outbound/callHttp.ts'
import { joinUrl } from '../../outbound/joinUrl.ts'
import { OutboundFault } from '../../outbound/outboundFault.ts'
import type { Tester } from '../tester.ts'

/** Asks for the health of the cluster. */
export const testElasticsearch: Tester = async (connection, { network, signal }) => {
  const answer = await callHttp(network, signal, {
    url: joinUrl(connection.needed('url'), '_cluster/health'),
    headers: { authorization: toBasic(connection.needed('username'), connection.needed('password')) },
    tls: connection.tls,
  })
  const { status } = Object(readJson(answer)) as { status?: unknown }
  if (status === 'red') throw new OutboundFault('the cluster answers, and its health is red')
  if (typeof status !== 'string') throw new OutboundFault('it answers, but not like Elasticsearch')
}
