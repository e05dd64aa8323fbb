import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { callbackify } from 'node:util'

import { PLAIN_HEADERS } from '@watchroom/shared/health/check-types'
import { Agent, type buildConnector, type Dispatcher, interceptors, request } from 'undici'

import { DURATION, toDuration } from '../../platform/expressionLanguage.ts'
import { type CertificateFacts, findCertificateFault, readCertificate } from '../certificate.ts'
import type { CheckRunner, RunDeps, RunnerSpec, Variables } from '../contract.ts'
import { describeFailure } from '../describeFailure.ts'
import { findContent } from '../findContent.ts'
import { invalid, judged, NO_ADDRESS, notPassed } from '../outcome.ts'

type HttpSpec = RunnerSpec<'http'>

const DEFAULT_MAX_REDIRECTS = 10
const DAY_MS = 86_400_000
/** What is read of an answer; `responseContent` is looked for in it. */
const MAX_BODY_BYTES = 1024 * 1024
/** Kept of the answer when the check did not pass, for the detail panel. */
const BODY_START_CHARACTERS = 500

/** `content-*` describe a body, which stays home. */
const PLAIN = new Set(PLAIN_HEADERS.filter((name) => !name.startsWith('content-') && name !== 'host'))

/** One request on a connection of its own, so that name resolution, connect and handshake are part of what is measured. */
export const httpRunner: CheckRunner<HttpSpec> = {
  async run(spec, deps) {
    const { signal, clock } = deps
    if (spec.url === undefined) return invalid(0, NO_ADDRESS)
    const certificates: CertificateFacts[] = []
    const agent = createAgent(spec, deps, certificates)
    const startedAt = clock.monotonic()
    try {
      const { url, authorization } = splitCredentials(spec, spec.url)
      const response = await request(url, {
        method: spec.method ?? 'GET',
        headers: buildHeaders(spec, authorization),
        dispatcher: agent.compose(
          keepSecretsHome(url),
          interceptors.redirect({ maxRedirections: spec.maxRedirects ?? DEFAULT_MAX_REDIRECTS }),
        ),
        signal,
        // The deadline of the check is the only time limit.
        headersTimeout: 0,
        bodyTimeout: 0,
        ...(spec.body !== undefined && { body: spec.body }),
      })
      const body = await readBody(response.body)
      const durationMs = clock.monotonic() - startedAt
      const certificate = certificates.toSorted((a, b) => a.daysLeft - b.daysLeft)[0] ?? null
      const faults = findFaults(spec, response.statusCode, body, certificate)
      const outcome = judged(durationMs, faults, describeStatus(response.statusCode), {
        statusCode: response.statusCode,
        bodyBytes: body.size,
        redirects: countRedirects(response.context),
        ...(body.isTruncated && { bodyTruncated: true }),
        ...(certificate && { certificate }),
        ...(faults.length > 0 && { bodyStart: body.text.slice(0, BODY_START_CHARACTERS) }),
      })
      return { ...outcome, variables: () => toVariables(response, body, durationMs, certificate) }
    } catch (error) {
      const durationMs = clock.monotonic() - startedAt
      return isRefusedByClient(error)
        ? invalid(durationMs, describeFailure(error))
        : notPassed(durationMs, describeFailure(error))
    } finally {
      await agent.destroy()
    }
  },
}

/** A redirect to another place gets nothing that may be a credential; undici itself holds back only the usual headers. */
function keepSecretsHome(home: URL): Dispatcher.DispatcherComposeInterceptor {
  return (dispatch) => (options, handler) => {
    const target = new URL(String(options.origin))
    const isUpgrade = target.hostname === home.hostname && target.protocol === 'https:'
    if (target.origin === home.origin || isUpgrade) return dispatch(options, handler)
    const given = Array.isArray(options.headers) ? options.headers.map(String) : []
    const headers = given.flatMap((name, index) =>
      index % 2 === 0 && PLAIN.has(name.toLowerCase()) ? [name, given[index + 1] ?? ''] : [],
    )
    return dispatch({ ...options, headers, body: null }, handler)
  }
}

/** Names as authors of canaries know them. */
function toVariables(
  { statusCode, headers }: Pick<Dispatcher.ResponseData, 'statusCode' | 'headers'>,
  body: Body,
  durationMs: number,
  certificate: CertificateFacts | null,
): Variables {
  return {
    code: { type: 'int', value: BigInt(statusCode) },
    headers: { type: 'map<string, string>', value: toHeaderMap(headers) },
    content: { type: 'string', value: body.text },
    json: { type: 'dyn', value: tryParseJson(body.text) },
    elapsed: { type: DURATION, value: toDuration(durationMs) },
    sslAge: { type: DURATION, value: toDuration((certificate?.daysLeft ?? 0) * DAY_MS) },
  }
}

/** Each under the two spellings that people use: `content-type` and `Content-Type`. */
function toHeaderMap(headers: Dispatcher.ResponseData['headers']): Map<string, string> {
  return new Map(
    Object.entries(headers).flatMap(([name, value]) => {
      const text = Array.isArray(value) ? value.join(', ') : (value ?? '')
      const titled = name.replace(/(?<=^|-)[a-z]/g, (letter) => letter.toUpperCase())
      return [[name, text] as const, [titled, text] as const]
    }),
  )
}

/** An answer that is not JSON is an empty object, in which nothing is found. */
function tryParseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // Most answers are not JSON; an expression that needs it says what it misses.
    return {}
  }
}

function createAgent(spec: HttpSpec, deps: RunDeps, certificates: CertificateFacts[]): Agent {
  const open = async ({ hostname, protocol, port }: buildConnector.Options): Promise<Socket> => {
    const isTls = protocol === 'https:'
    const socket = await deps.wayOut.open({
      host: hostname.replace(/^\[(.*)\]$/, '$1'),
      port: Number(port) || (isTls ? 443 : 80),
      tls: isTls ? { isInsecure: spec.insecureSkipVerify === true } : null,
      signal: deps.signal,
    })
    const certificate = readCertificate(socket, deps.clock.now())
    if (certificate) certificates.push(certificate)
    return socket
  }
  const openWithCallback = callbackify(open)
  return new Agent({
    pipelining: 1,
    connect: (options, callback) =>
      openWithCallback(options, (error, socket) => (error ? callback(error, null) : callback(null, socket))),
  })
}

/** undici drops user and password of a URL silently, so they become a header here. */
function splitCredentials(spec: HttpSpec, address: string): { url: URL; authorization: string | null } {
  const url = new URL(address)
  const username = spec.username ?? decodeURIComponent(url.username)
  const password = spec.password ?? decodeURIComponent(url.password)
  url.username = ''
  url.password = ''
  if (username === '' && password === '') return { url, authorization: null }
  return { url, authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}` }
}

function buildHeaders(spec: HttpSpec, authorization: string | null): string[] {
  const given = spec.headers ?? []
  const has = (name: string): boolean => given.some((header) => header.name.toLowerCase() === name)
  const headers = given.flatMap(({ name, value }) => [name, value])
  if (!has('user-agent')) headers.push('user-agent', 'watchroom')
  if (!has('accept')) headers.push('accept', '*/*')
  if (authorization !== null && !has('authorization')) headers.push('authorization', authorization)
  return headers
}

interface Body {
  text: string
  size: number
  isTruncated: boolean
}

async function readBody(stream: AsyncIterable<Buffer>): Promise<Body> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of stream) {
    chunks.push(chunk)
    size += chunk.length
    if (size > MAX_BODY_BYTES) break
  }
  const kept = Buffer.concat(chunks).subarray(0, MAX_BODY_BYTES)
  return { text: kept.toString('utf8'), size: kept.length, isTruncated: size > MAX_BODY_BYTES }
}

function findFaults(spec: HttpSpec, statusCode: number, body: Body, certificate: CertificateFacts | null): string[] {
  const faults: string[] = []
  // Where the check names no codes, an expression of its own decides alone.
  const isExpected =
    spec.responseCodes?.includes(statusCode) ??
    (spec.test?.expr !== undefined || (statusCode >= 200 && statusCode < 300))
  if (!isExpected) {
    faults.push(`answered ${describeStatus(statusCode)}, expected ${spec.responseCodes?.join(' or ') ?? '2xx'}`)
  }
  if (spec.responseContent !== undefined) {
    const match = findContent(body.text, spec.responseContent)
    const read = body.isTruncated ? ' (only the first 1 MiB was read)' : ''
    if (match === 'too slow') faults.push(`the expression ${spec.responseContent} takes too long on this answer`)
    else if (match !== 'found')
      faults.push(`the answer does not contain ${JSON.stringify(spec.responseContent)}${read}`)
  }
  const certificateFault = findCertificateFault(certificate, spec.maxSSLExpiry)
  if (certificateFault !== null) faults.push(certificateFault)
  return faults
}

function describeStatus(statusCode: number): string {
  const text = STATUS_CODES[statusCode]
  return text === undefined ? String(statusCode) : `${statusCode} ${text}`
}

/** The interceptor records every URL it asked, the last one included. */
function countRedirects(context: Dispatcher.ResponseData['context']): number {
  const history = typeof context === 'object' && 'history' in context ? context.history : undefined
  return Array.isArray(history) ? Math.max(0, history.length - 1) : 0
}

/** undici refuses a malformed header or method before anything is sent: the definition is wrong, not the target. */
function isRefusedByClient(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'UND_ERR_INVALID_ARG'
}
