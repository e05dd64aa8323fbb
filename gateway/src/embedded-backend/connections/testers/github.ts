import { callHttp, expectSuccess } from '../../outbound/callHttp.ts'
import type { Tester } from '../tester.ts'

/** Asks whose token it is. */
export const testGithub: Tester = async (connection, { network, signal }) => {
  const headers = {
    authorization: `Bearer ${connection.needed('password')}`,
    accept: 'application/vnd.github+json',
    'x-github-api-version': '2022-11-28',
  }
  expectSuccess(await callHttp(network, signal, { url: 'https://api.github.com/user', headers }))
}
