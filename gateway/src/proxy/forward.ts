// Carries one request to the backend and its answer back. Knows nothing of rights: `plugin` asks before it calls.
//
// Not `@fastify/reply-from`: that one keeps the backend working after the browser has gone, trusts any TLS certificate unless
// told otherwise, repeats a 503 by itself and builds the address anew, which changes the exact text that filters depend on.
import type { IncomingHttpHeaders } from 'node:http'
import { Readable } from 'node:stream'

import type { Role, RouteRule } from '@watchroom/shared/access'
import type { FastifyReply, FastifyRequest } from 'fastify'

import { ACTS_AS_HEADER } from '../platform/backendCaller.ts'
import { decompress, gzip, isCompressible } from '../platform/compress.ts'
import { CodedError } from '../platform/errors.ts'
import { callerSignal } from '../platform/http/callerSignal.ts'
import { asksForPage, sendErrorPage } from '../platform/http/errorPage.ts'
import { type BackendClient, BackendFailure, type BackendResponse, toFailure } from '../platform/httpClient.ts'
import { proxyErrors } from './errors.ts'
import { type RequestHeaderRules, toBackendHeaders, toClientHeaders } from './headers.ts'
import { type BackendPath, isIdentityPath } from './paths.ts'
import { hideInternals, namesUnreachable, stackOf, translateError } from './translateError.ts'

/** Wait for the backend's answer, and for each further piece of it. */
export interface ProxyTimeouts {
  readonly defaultMs: number
  /** Longer than the longest run that someone waits for: a scrape ends after 15 minutes. */
  readonly longMs: number
}

export const PROXY_TIMEOUTS: ProxyTimeouts = { defaultMs: 30_000, longMs: 960_000 }

/** An error's text is for a person; more than this is not read. */
const MAX_ERROR_BYTES = 65_536
/** An agent's upstream may name every row of a push that it did not take. */
const MAX_AGENT_ERROR_BYTES = 4 * 1_048_576
const FAILED_ITSELF = 'backend failed in its own code'

const IDENTITY_COOKIE = /^(?:ory_kratos_|csrf_token)/

export interface ForwardTarget extends BackendPath {
  readonly rule: RouteRule
}

export interface ForwardDeps {
  readonly backend: BackendClient
  /** With sessions switched off the gateway's own credential stands in for the one that people do not have. */
  readonly credential: 'caller' | 'service'
  /** The role that the gateway's own credential plays then: it must not do in the database what nobody was shown. */
  readonly actsAs?: Role
  readonly sessionCookie: string
  readonly readSessionToken: (headers: IncomingHttpHeaders) => string | undefined
  readonly timeouts: ProxyTimeouts
  /** What the gateway says of the caller beside who that is, for routes that ask for it. */
  readonly say: (request: FastifyRequest, rule: RouteRule) => Readonly<Record<string, string>>
}

/**
 * Resolves when the answer has begun to be sent.
 *
 * @throws CodedError PROXY_BACKEND_… when there is no answer to pass on
 */
export async function forward(
  request: FastifyRequest,
  reply: FastifyReply,
  target: ForwardTarget,
  deps: ForwardDeps,
): Promise<void> {
  const response = await send(request, reply, target, deps)
  const isIdentity = isIdentityPath(target.path)
  // Of the identity service scripts know each body as it is; a person who navigated there reads words.
  if (response.status >= 400 && (!isIdentity || asksForPage(request))) {
    return target.rule.isForAgents ? sendAgentError(request, reply, response) : sendError(request, reply, response)
  }
  if (!target.rule.isFile && isHtml(response)) {
    response.discard()
    throw new CodedError(proxyErrors.PROXY_BACKEND_BAD_ANSWER, { details: { status: response.status } })
  }
  sendAnswer(request, reply, response, isIdentity)
}

async function send(
  request: FastifyRequest,
  reply: FastifyReply,
  target: ForwardTarget,
  deps: ForwardDeps,
): Promise<BackendResponse> {
  const credential = credentialOf(target.rule, deps)
  try {
    return await deps.backend.request({
      method: request.method,
      path: target.path + target.query,
      headers: {
        ...toBackendHeaders(
          {
            headers: request.headers,
            address: request.ip,
            host: request.host,
            protocol: request.protocol,
            requestId: request.id,
          },
          credential === 'service' ? OF_NOBODY : headerRules(request, target, deps),
        ),
        ...deps.say(request, target.rule),
        ...(credential === 'caller' || deps.actsAs === undefined ? {} : { [ACTS_AS_HEADER]: deps.actsAs }),
        ...lengthOfStream(request),
      },
      ...(request.body instanceof Uint8Array || request.body instanceof Readable ? { body: request.body } : {}),
      signal: callerSignal(reply),
      timeoutMs: target.rule.isLong ? deps.timeouts.longMs : deps.timeouts.defaultMs,
      credential,
    })
  } catch (error) {
    throw toCodedError(error)
  }
}

/** Of a body that is in hand the client counts the bytes itself. */
function lengthOfStream({ body, headers }: FastifyRequest): { 'content-length'?: string } {
  const length = headers['content-length']
  return body instanceof Readable && length !== undefined ? { 'content-length': length } : {}
}

/**
 * What is public, and what agents send, has a credential of its own or none: with the gateway's a stranger would speak to the identity
 * service as the gateway's account, and a webhook's own would be lost.
 */
const credentialOf = ({ access, isForAgents }: RouteRule, { credential }: ForwardDeps): ForwardDeps['credential'] =>
  access === 'public' || isForAgents ? 'caller' : credential

/** Where the gateway's credential speaks for everyone, nobody brings one of their own. */
const OF_NOBODY: RequestHeaderRules = { isCookieWanted: () => false, authorization: 'none' }

function headerRules(
  { headers }: FastifyRequest,
  { path, rule }: ForwardTarget,
  deps: ForwardDeps,
): RequestHeaderRules {
  // The identity service knows no HTTP credentials; webhooks are signed or carry a token of their own.
  if (isIdentityPath(path)) {
    return {
      isCookieWanted: (name) => name === deps.sessionCookie || IDENTITY_COOKIE.test(name),
      authorization: 'none',
      sessionToken: deps.readSessionToken(headers),
    }
  }
  return {
    isCookieWanted: (name) => name === deps.sessionCookie,
    ...(rule.access === 'public'
      ? { authorization: 'any' }
      : { authorization: 'basic', sessionToken: deps.readSessionToken(headers) }),
  }
}

function toCodedError(error: unknown): unknown {
  if (!(error instanceof BackendFailure)) return error
  // The caller's body was too long, which came out on the way.
  if (error.cause instanceof Error && 'statusCode' in error.cause) return error.cause
  const options = { cause: error }
  switch (error.kind) {
    case 'unavailable':
      return new CodedError(proxyErrors.PROXY_BACKEND_UNAVAILABLE, options)
    case 'timeout':
      return new CodedError(proxyErrors.PROXY_BACKEND_TIMEOUT, options)
    case 'aborted':
      return new CodedError(proxyErrors.PROXY_CALLER_GONE, options)
    case 'broken':
      return new CodedError(proxyErrors.PROXY_BACKEND_BAD_ANSWER, options)
  }
}

function sendAnswer(
  request: FastifyRequest,
  reply: FastifyReply,
  response: BackendResponse,
  keepCookies: boolean,
): void {
  const headers = toClientHeaders(response.headers, { keepCookies })
  void reply.code(response.status)
  if (request.method === 'HEAD' || response.status === 204 || response.status === 304) {
    response.discard()
    void reply.headers(headers).send()
    return
  }
  if (!isCompressible({ acceptEncoding: request.headers['accept-encoding'], headers })) {
    void reply.headers(headers).send(response.body)
    return
  }
  delete headers['content-length']
  void reply
    .headers({ ...headers, 'content-encoding': 'gzip', vary: 'accept-encoding', ...weakEtag(headers.etag) })
    .send(gzip(response.body))
}

/** Another encoding is another sequence of bytes; only a weak tag may name both. */
function weakEtag(etag: string | string[] | undefined): { etag?: string } {
  if (typeof etag !== 'string') return {}
  return { etag: etag.startsWith('W/') ? etag : `W/${etag}` }
}

async function sendError(request: FastifyRequest, reply: FastifyReply, response: BackendResponse): Promise<void> {
  const text = await readText(response, MAX_ERROR_BYTES)
  const { status, body } = translateError(
    { status: response.status, contentType: response.headers['content-type'] ?? '', text },
    request.id,
  )
  const facts = { code: body.code, kind: body.kind, backendStatus: response.status }
  const stack = stackOf(text)
  if (namesUnreachable(text)) request.log.warn({ ...facts, said: text }, 'backend could not reach a service behind it')
  else if (stack === undefined) request.log.debug(facts, 'backend refused')
  else request.log.warn({ ...facts, said: body.error, stack }, FAILED_ITSELF)
  void reply.headers(keptOf(response))
  if (asksForPage(request)) {
    const retryable = status === 429 || status === 503
    void sendErrorPage(reply, { status, message: body.error, retryable, requestId: request.id })
    return
  }
  void reply.code(status).type('application/json; charset=utf-8').send(JSON.stringify(body))
}

/** Programs of the real product read this one, and know it as it is. */
async function sendAgentError(request: FastifyRequest, reply: FastifyReply, response: BackendResponse): Promise<void> {
  const said = await readText(response, MAX_AGENT_ERROR_BYTES)
  const stack = stackOf(said)
  if (stack !== undefined) request.log.warn({ backendStatus: response.status, stack }, FAILED_ITSELF)
  const text = hideInternals(said)
  const type = response.headers['content-type']
  void reply
    .code(response.status)
    .headers({ ...keptOf(response), ...(type === undefined ? {} : { 'content-type': type }) })
    .send(text)
}

/** When to come back is part of a refusal. */
function keptOf({ headers }: BackendResponse): Record<string, string> {
  const retryAfter = headers['retry-after']
  return { 'cache-control': 'no-store', ...(retryAfter === undefined ? {} : { 'retry-after': retryAfter }) }
}

async function readText(response: BackendResponse, maxBytes: number): Promise<string> {
  const body = decompress(response.body, response.headers['content-encoding'])
  const chunks: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      chunks.push(chunk)
      size += chunk.length
      if (size >= maxBytes) break
    }
  } catch (error) {
    throw toCodedError(toFailure(error))
  }
  return Buffer.concat(chunks).subarray(0, maxBytes).toString()
}

const isHtml = (response: BackendResponse): boolean => (response.headers['content-type'] ?? '').startsWith('text/html')
