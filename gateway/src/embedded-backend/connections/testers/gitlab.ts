import { callHttp, expectSuccess } from '../../outbound/callHttp.ts'
import type { Tester } from '../tester.ts'

/** Asks whose token it is. */
export const testGitlab: Tester = async (connection, { network, signal }) => {
  const headers = { 'private-token': connection.needed('password') }
  expectSuccess(await callHttp(network, signal, { url: 'https://gitlab.com/api/v4/user', headers }))
}
