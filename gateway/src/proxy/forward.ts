// Carries one request to the backend and its answer back. Knows nothing of rights: `plugin` asks before it calls.
//
// Not `@fastify/reply-from`: that one keeps the backend working after the browser has gone, trusts any TLS certificate unless
// told otherwise, repeats a 503 by itself and builds the address anew, which changes the exact text that filters depend on.
import type { Readable } from 'node:stream'

import type { RouteRule } from '@watchroom/shared/access'
import type { FastifyReply, FastifyRequest } from 'fastify'

import { decompress, gzip, isCompressible } from '../platform/compress.ts'
import { CodedError } from '../platform/errors.ts'
import { type BackendClient, BackendFailure, type BackendResponse, toFailure } from '../platform/httpClient.ts'
import { proxyErrors } from './errors.ts'
import { type RequestHeaderRules, toBackendHeaders, toClientHeaders } from './headers.ts'
import { type BackendPath, isIdentityPath } from './paths.ts'
import { translateError } from './translateError.ts'

/** Wait for the backend's answer, and for each further piece of it. */
export interface ProxyTimeouts {
  readonly defaultMs: number
  /** Playbooks and connection tests may legitimately take this long. */
  readonly longMs: number
}

export const PROXY_TIMEOUTS: ProxyTimeouts = { defaultMs: 30_000, longMs: 600_000 }

/** An error's text is for a person; more than this is not read. */
const MAX_ERROR_BYTES = 65_536

const IDENTITY_COOKIE = /^(?:ory_kratos_|csrf_token)/

export interface ForwardTarget extends BackendPath {
  readonly rule: RouteRule
}

export interface ForwardDeps {
  readonly backend: BackendClient
  /** With sessions switched off the gateway's own credential stands in for the one that people do not have. */
  readonly credential: 'caller' | 'service'
  readonly sessionCookie: string
  readonly timeouts: ProxyTimeouts
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
  if (response.status >= 400 && !isIdentity) return sendError(request, reply, response)
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
  const abort = new AbortController()
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) abort.abort()
  })
  try {
    return await deps.backend.request({
      method: request.method,
      path: target.path + target.query,
      headers: toBackendHeaders(
        {
          headers: request.headers,
          address: request.ip,
          host: request.host,
          protocol: request.protocol,
          requestId: request.id,
        },
        headerRules(target, deps),
      ),
      ...(request.body instanceof Uint8Array ? { body: request.body } : {}),
      signal: abort.signal,
      timeoutMs: target.rule.isLong ? deps.timeouts.longMs : deps.timeouts.defaultMs,
      credential: target.rule.isForAgents ? 'caller' : deps.credential,
    })
  } catch (error) {
    throw toCodedError(error)
  }
}

function headerRules({ path, rule }: ForwardTarget, deps: ForwardDeps): RequestHeaderRules {
  // The identity service knows no HTTP credentials; webhooks are signed or carry a token of their own.
  if (isIdentityPath(path)) {
    return {
      isCookieWanted: (name) => name === deps.sessionCookie || IDENTITY_COOKIE.test(name),
      authorization: 'none',
    }
  }
  return {
    isCookieWanted: (name) => name === deps.sessionCookie,
    authorization: rule.access === 'public' ? 'any' : 'basic',
  }
}

function toCodedError(error: unknown): unknown {
  if (!(error instanceof BackendFailure)) return error
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
  const text = await readText(decompress(response.body, response.headers['content-encoding']))
  const { status, body } = translateError(
    { status: response.status, contentType: response.headers['content-type'] ?? '', text },
    request.id,
  )
  request.log.debug({ code: body.error.code, backendStatus: response.status }, 'backend refused')
  void reply
    .code(status)
    .header('cache-control', 'no-store')
    .type('application/json; charset=utf-8')
    .send(JSON.stringify(body))
}

async function readText(body: Readable): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      chunks.push(chunk)
      size += chunk.length
      if (size >= MAX_ERROR_BYTES) break
    }
  } catch (error) {
    throw toCodedError(toFailure(error))
  }
  return Buffer.concat(chunks).subarray(0, MAX_ERROR_BYTES).toString()
}

const isHtml = (response: BackendResponse): boolean => (response.headers['content-type'] ?? '').startsWith('text/html')
