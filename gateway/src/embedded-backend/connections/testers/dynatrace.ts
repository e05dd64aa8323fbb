import { callHttp, expectSuccess } from '../../outbound/callHttp.ts'
import { hostUrl, joinUrl } from '../../outbound/joinUrl.ts'
import type { Tester } from '../tester.ts'

/** Asks for the version of the cluster, which every token may read. */
export const testDynatrace: Tester = async (connection, { network, signal }) => {
  const answer = await callHttp(network, signal, {
    url: joinUrl(hostUrl(connection.needed('url'), connection.needed('scheme')), 'api/v1/config/clusterversion'),
    headers: { authorization: `Api-Token ${connection.needed('password')}` },
  })
  expectSuccess(answer)
}
