import { callHttp, expectSuccess, toBasic } from '../../outbound/callHttp.ts'
import type { Tester } from '../tester.ts'

const MAX_REDIRECTS = 5

/** Asks for the address and expects 2xx, through redirects. */
export const testHttp: Tester = async (connection, { network, signal }) => {
  const answer = await callHttp(network, signal, {
    url: connection.needed('url'),
    headers: { authorization: toBasic(connection.needed('username'), connection.needed('password')) },
    tls: connection.tls,
    redirects: MAX_REDIRECTS,
  })
  expectSuccess({ ...answer, text: '' })
}
