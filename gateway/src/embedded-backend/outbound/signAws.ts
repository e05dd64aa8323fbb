// Signature Version 4 of AWS for a request without a body or with a short one.
import { createHash, createHmac } from 'node:crypto'

interface AwsRequest {
  readonly method: 'GET' | 'POST'
  readonly url: string
  readonly body?: string
  readonly service: string
  readonly region: string
  readonly accessKey: string
  readonly secretKey: string
  /** Milliseconds since the epoch. */
  readonly now: number
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')
const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest()
const encode = (text: string): string =>
  encodeURIComponent(text).replaceAll(/[!'()*]/g, (letter) => `%${letter.codePointAt(0)?.toString(16).toUpperCase()}`)

/** @returns the headers that a request is sent with */
export function signAws(request: AwsRequest): Record<string, string> {
  const { method, body = '', service, region, accessKey, secretKey, now } = request
  const url = new URL(request.url)
  const at = new Date(now).toISOString().replaceAll(/[-:]|\.\d+/g, '')
  const scope = `${at.slice(0, 8)}/${region}/${service}/aws4_request`
  const headers = { host: url.host, 'x-amz-content-sha256': sha256(body), 'x-amz-date': at }
  const names = Object.keys(headers).join(';')
  const query = [...url.searchParams]
    .map(([name, value]) => `${encode(name)}=${encode(value)}`)
    .toSorted()
    .join('&')
  const canonical = [
    method,
    url.pathname,
    query,
    ...Object.entries(headers).map(([name, value]) => `${name}:${value}`),
    '',
    names,
    sha256(body),
  ].join('\n')
  const key = [at.slice(0, 8), region, service, 'aws4_request'].reduce<string | Buffer>(hmac, `AWS4${secretKey}`)
  const signature = hmac(key, ['AWS4-HMAC-SHA256', at, scope, sha256(canonical)].join('\n')).toString('hex')
  return {
    ...headers,
    authorization: `AWS4-HMAC-SHA256 Credential=${accessKey}/${scope}, SignedHeaders=${names}, Signature=${signature}`,
  }
}
