import { callHttp, expectSuccess } from '../../outbound/callHttp.ts'
import { signAws } from '../../outbound/signAws.ts'
import type { Tester } from '../tester.ts'

const DEFAULT_REGION = 'us-east-1'

/** Asks for the first object of the bucket. */
export const testS3: Tester = async (connection, { network, signal, clock }) => {
  const region = connection.text('region') || DEFAULT_REGION
  const bucket = encodeURIComponent(connection.needed('bucket'))
  const url = `https://s3.${region}.amazonaws.com/${bucket}?list-type=2&max-keys=1`
  const accessKey = connection.needed('username')
  const secretKey = connection.needed('password')
  const headers = signAws({ method: 'GET', url, service: 's3', region, accessKey, secretKey, now: clock.now() })
  expectSuccess(await callHttp(network, signal, { url, headers, tls: connection.tls }))
}
