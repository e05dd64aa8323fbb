// One call of an HTTP interface, on a connection of its own. A redirect to another place gets no credential.
import { STATUS_CODES } from 'node:http'
import { callbackify } from 'node:util'

import { formatByteSize } from '@watchroom/shared/kernel'
import { Agent, type buildConnector, request } from 'undici'
import { z } from 'zod'

import type { TlsOptions } from '../../platform/openSocket.ts'
import type { Network } from './createNetwork.ts'
import { OutboundFault } from './outboundFault.ts'

export interface HttpCall {
  readonly url: string
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH'
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  readonly tls?: TlsOptions
  /** How many redirects are followed; none when absent, and never with a body. */
  readonly redirects?: number
  /** An answer that is longer is a fault; when absent it is cut off after 64 KiB. */
  readonly maxBytes?: number
}

export interface HttpAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  /** All of it, or the first 64 KiB where the call names no bound. */
  readonly text: string
}

const MAX_BODY_BYTES = 65_536
const MAX_TOLD_CHARACTERS = 300
/** Headers that reveal nothing about the caller. */
const PLAIN = new Set(['accept', 'user-agent'])
const VERIFIED: TlsOptions = { isInsecure: false }

/** @throws OutboundFault, and the system's errors */
export async function callHttp(network: Network, signal: AbortSignal, call: HttpCall): Promise<HttpAnswer> {
  const first = toHttpUrl(call.url)
  const headers = { accept: '*/*', 'user-agent': 'watchroom', ...call.headers }
  const agent = createAgent(network, signal, call.tls ?? VERIFIED)
  const ask = async (url: URL): Promise<HttpAnswer> => {
    const { statusCode: status, ...answer } = await request(url, {
      method: call.method ?? 'GET',
      headers: url.origin === first.origin ? headers : onlyPlain(headers),
      dispatcher: agent,
      signal,
      headersTimeout: 0,
      bodyTimeout: 0,
      ...(call.body !== undefined && { body: call.body }),
    })
    return { status, headers: answer.headers, text: await readText(answer.body, call.maxBytes) }
  }
  try {
    let url = first
    let answer = await ask(url)
    for (let left = call.redirects ?? 0; call.redirects !== undefined && isRedirect(answer); left--) {
      if (left === 0) throw new OutboundFault('it redirects too often')
      url = toHttpUrl(String(answer.headers['location']), url)
      answer = await ask(url)
    }
    return answer
  } finally {
    await agent.destroy()
  }
}

const isRedirect = ({ status, headers }: HttpAnswer): boolean =>
  status >= 300 && status < 400 && typeof headers['location'] === 'string'

/** An answer that is not 2xx is a fault that says what came back. */
export function expectSuccess(answer: HttpAnswer): HttpAnswer {
  if (answer.status >= 200 && answer.status < 300) return answer
  const words = STATUS_CODES[answer.status]
  const retryAfter = answer.headers['retry-after'] ?? tryReadPatience(answer.text)
  const said = answer.text.trim().slice(0, MAX_TOLD_CHARACTERS)
  throw new OutboundFault(
    `it answered ${answer.status}${words === undefined ? '' : ` ${words}`}${/^[[{]/.test(said) ? `: ${said}` : ''}`,
    { status: answer.status, ...(typeof retryAfter === 'string' && { retryAfter }) },
  )
}

const PatienceSchema = z.union([
  // Telegram; seconds like the next two.
  z.object({ parameters: z.object({ retry_after: z.number() }) }).transform(({ parameters }) => parameters.retry_after),
  // Discord.
  z.object({ retry_after: z.number() }).transform(({ retry_after: seconds }) => seconds),
  // Zulip.
  z.object({ 'retry-after': z.number() }).transform((body) => body['retry-after']),
  // Matrix.
  z.object({ retry_after_ms: z.number() }).transform(({ retry_after_ms: ms }) => ms / 1_000),
])

/** Some services say only in the body when to try again. @returns seconds, as the header has them */
function tryReadPatience(text: string): string | undefined {
  try {
    const { data: seconds } = PatienceSchema.safeParse(JSON.parse(text))
    return seconds !== undefined && seconds >= 0 && seconds < Number.MAX_SAFE_INTEGER
      ? String(Math.ceil(seconds))
      : undefined
  } catch {
    // Words of its own.
    return undefined
  }
}

/** @throws OutboundFault for an answer that is not JSON */
export function readJson(answer: HttpAnswer): unknown {
  try {
    return JSON.parse(expectSuccess(answer).text) as unknown
  } catch (error) {
    if (error instanceof OutboundFault) throw error
    throw new OutboundFault('it answered something that is not JSON: the address may be wrong', { cause: error })
  }
}

export const toBasic = (username: string, password: string): string =>
  `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`

/** User and password of an address are no part of a request. @throws OutboundFault */
function toHttpUrl(text: string, base?: URL): URL {
  const url = URL.canParse(text, base?.href) ? new URL(text, base) : null
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:')
    throw new OutboundFault(
      base === undefined
        ? 'the address must begin with http:// or https://'
        : 'it redirects to another kind of address',
    )
  url.username = ''
  url.password = ''
  return url
}

const onlyPlain = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => PLAIN.has(name.toLowerCase())))

function createAgent(network: Network, signal: AbortSignal, tls: TlsOptions): Agent {
  const open = callbackify(({ hostname, protocol, port }: buildConnector.Options) => {
    const isTls = protocol === 'https:'
    return network.open({
      host: hostname.replace(/^\[(.*)\]$/, '$1'),
      port: Number(port) || (isTls ? 443 : 80),
      tls: isTls ? tls : null,
      signal,
    })
  })
  return new Agent({
    pipelining: 1,
    connect: (options, callback) =>
      open(options, (error, socket) => (error ? callback(error, null) : callback(null, socket))),
  })
}

async function readText(stream: AsyncIterable<Buffer>, maxBytes?: number): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of stream) {
    chunks.push(chunk)
    size += chunk.length
    if (maxBytes !== undefined && size > maxBytes)
      throw new OutboundFault(`it answered more than ${formatByteSize(maxBytes)}`)
    if (maxBytes === undefined && size >= MAX_BODY_BYTES) break
  }
  const bytes = Buffer.concat(chunks)
  return (maxBytes === undefined ? bytes.subarray(0, MAX_BODY_BYTES) : bytes).toString('utf8')
}
