import { callHttp, expectSuccess } from '../../outbound/callHttp.ts'
import { signAws } from '../../outbound/signAws.ts'
import type { Tester } from '../tester.ts'

const DEFAULT_REGION = 'us-east-1'

/** Asks whose keys they are. */
export const testAws: Tester = async (connection, { network, signal, clock }) => {
  const region = connection.text('region') || DEFAULT_REGION
  const url = `https://sts.${region}.amazonaws.com/?Action=GetCallerIdentity&Version=2011-06-15`
  const accessKey = connection.needed('username')
  const secretKey = connection.needed('password')
  const headers = signAws({ method: 'GET', url, service: 'sts', region, accessKey, secretKey, now: clock.now() })
  expectSuccess(await callHttp(network, signal, { url, headers, tls: connection.tls }))
}
