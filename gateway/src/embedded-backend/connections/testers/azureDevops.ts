import { callHttp, readJson, toBasic } from '../../outbound/callHttp.ts'
import { OutboundFault } from '../../outbound/outboundFault.ts'
import type { Tester } from '../tester.ts'

/** Asks for the first project of the organization. */
export const testAzureDevops: Tester = async (connection, { network, signal }) => {
  const organization = encodeURIComponent(connection.needed('username'))
  const answer = await callHttp(network, signal, {
    url: `https://dev.azure.com/${organization}/_apis/projects?$top=1&api-version=7.1`,
    headers: { authorization: toBasic('', connection.needed('password')), accept: 'application/json' },
  })
  // A page to sign in, with a status of success.
  if (answer.status === 203) throw new OutboundFault('it does not take the token')
  readJson(answer)
}
