import { Readable } from 'node:stream'

import { findRoute, findSelectRefusal, missingRowFilter, type RouteRule, SELECT_LIMITS } from '@watchroom/shared/access'
import type { Clock } from '@watchroom/shared/kernel'
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteShorthandOptions } from 'fastify'

import type { Access, Identity } from '../access/contract.ts'
import { CodedError } from '../platform/errors.ts'
import type { RoutePolicy } from '../platform/http/defineRoute.ts'
import { refuseBody } from '../platform/jsonBodies.ts'
import { isTooDeep, MAX_JSON_DEPTH } from '../platform/jsonDepth.ts'
import type { Metrics } from '../platform/metrics.ts'
import { bodyLimit, MAX_BODY_BYTES } from './bodyLimit.ts'
import { chargeBody, createCallLimits, enterBodyLine, enterLine } from './callLimits.ts'
import { changedRights } from './changedRights.ts'
import { changedTable } from './changedTable.ts'
import { proxyErrors } from './errors.ts'
import { forward, type ForwardDeps, type ForwardTarget } from './forward.ts'
import { passOn } from './passOn.ts'
import { AGENT_PREFIX, API_PREFIX, type BackendPath, isIdentityPath, toBackendPath, TOPOLOGY_PATH } from './paths.ts'

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']

declare module 'fastify' {
  interface FastifyRequest {
    /** Template of the backend's route, for metrics: bounded, unlike the path. */
    backendRoute: string | null
    /** Where the call goes, once it was found and its caller may go there. */
    target: ForwardTarget | null
  }
}

export interface ProxyOptions extends ForwardDeps {
  readonly access: Access
  readonly metrics: Metrics
  readonly policy: RoutePolicy<Identity>
  /** Route options of what takes passwords and codes. */
  readonly signInRoute: RouteShorthandOptions
  readonly clock: Clock
  /** A call has changed rows of this table: not every backend announces it. */
  readonly onWritten: (table: string) => void
}

/** Everything under `/api`: asks who may, and carries the rest to the backend. */
export async function proxyPlugin(app: FastifyInstance, options: ProxyOptions): Promise<void> {
  const duration = options.metrics.histogram({
    name: 'watchroom_backend_request_seconds',
    help: 'Time until the backend began to answer a proxied request, or failed to',
    labelNames: ['route', 'status'],
  })

  const limits = createCallLimits(options.clock)

  app.decorateRequest('backendRoute', null)
  app.decorateRequest('target', null)
  // Bodies pass as they are; only their size matters here.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: MAX_BODY_BYTES }, (_request, body, done) =>
    done(null, body),
  )

  /** Before a byte of the body is read: nobody sends a megabyte to be told that they may not. */
  const admit = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const path = toBackendPath(request.raw.url ?? '')
    if (!path) throw new CodedError(proxyErrors.PROXY_PATH_REFUSED)
    const rule = requireRoute(request.method, path)
    request.backendRoute = rule.path
    await options.policy.admit(request, rule)
    if (rule.isPersonal && options.credential === 'service') throw new CodedError(proxyErrors.PROXY_PERSON_REQUIRED)
    judgeDatabaseCall(request, path)
    requireSize(path, Number(request.headers['content-length'] ?? 0))
    request.target = { ...path, rule }
    await enterBodyLine(request, reply, limits)
  }

  const handle = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const { target } = request
    if (!target) throw new Error('a call was not admitted')
    const { rule } = target
    if (request.body instanceof Uint8Array) {
      chargeBody(request, request.body.length, limits)
      requireShape(request, target, request.body)
      // The body may have taken a minute, and the right be gone.
      await options.policy.admit(request, rule)
    }
    await enterLine(request, reply, rule, limits)
    const stop = duration.startTimer({ route: rule.path })
    try {
      await forward(request, reply, target, options)
    } catch (error) {
      // The calls that operators look for are those that went wrong.
      stop({ status: error instanceof CodedError ? error.status : 500 })
      throw error
    } finally {
      // Nobody reads what may be left of it.
      if (request.body instanceof Readable) request.body.destroy()
    }
    stop({ status: reply.statusCode })
    afterwards(request, reply, target, options)
    return reply
  }

  // Agents send much at once. It goes on as it comes: the backend refuses who is no agent before it reads, and nothing piles up here.
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (request, payload, done) =>
      done(
        null,
        passOn(payload, (bytes) => chargeBody(request, bytes, limits)),
      ),
    )
    for (const prefix of ['', API_PREFIX]) {
      for (const path of [`${AGENT_PREFIX}/push`, `${AGENT_PREFIX}/artifacts/:id`, TOPOLOGY_PATH]) {
        scope.route({ method: METHODS, url: `${prefix}${path}`, onRequest: admit, handler: handle })
      }
    }
  })
  for (const prefix of [API_PREFIX, AGENT_PREFIX]) {
    app.route({ method: METHODS, url: `${prefix}/*`, bodyLimit: MAX_BODY_BYTES, onRequest: admit, handler: handle })
  }
  for (const prefix of ['.ory', 'kratos']) {
    const route = { ...options.signInRoute, bodyLimit: MAX_BODY_BYTES, onRequest: admit }
    app.post(`${API_PREFIX}/${prefix}/self-service/*`, route, handle)
    // Each asks a provider what a code is worth.
    app.get(`${API_PREFIX}/${prefix}/self-service/methods/oidc/callback/*`, route, handle)
  }
}

function requireRoute(method: string, { path }: BackendPath): RouteRule {
  const match = findRoute(method, path)
  switch (match.kind) {
    case 'found':
      return match.rule
    case 'wrong-method':
      throw new CodedError(proxyErrors.PROXY_METHOD_NOT_ALLOWED, { values: { method } })
    case 'unknown':
      throw new CodedError(proxyErrors.PROXY_ENDPOINT_UNKNOWN)
  }
}

/** @throws an error of status 413 */
function requireSize({ path }: BackendPath, bytes: number): void {
  if (bytes > bodyLimit(path)) throw refuseBody(413, 'the body is too large')
}

/** @throws an error of status 413 or 400 */
function requireShape({ headers }: FastifyRequest, path: BackendPath, body: Uint8Array): void {
  // A body without a length was not judged before.
  requireSize(path, body.length)
  const type = headers['content-type']
  // The backend takes a body without a type for JSON.
  if ((type === undefined || type.includes('json')) && isTooDeep(body)) {
    throw refuseBody(400, `the body nests deeper than ${MAX_JSON_DEPTH} levels`)
  }
}

/**
 * What the path alone does not tell: which other tables a call reads, and whether it says which rows it changes. Asked here,
 * because not every backend asks it.
 *
 * @throws CodedError PROXY_EMBED_…, PROXY_SELECT_…, PROXY_ROWS_NOT_NAMED
 */
function judgeDatabaseCall({ method, identity }: FastifyRequest, { path, query }: BackendPath): void {
  const reason = missingRowFilter(method, path, query)
  if (reason !== null) throw new CodedError(proxyErrors.PROXY_ROWS_NOT_NAMED, { values: { reason } })
  const refusal = findSelectRefusal(path, query, identity?.roles ?? [])
  switch (refusal?.kind) {
    case undefined:
      return
    case 'denied':
      throw new CodedError(proxyErrors.PROXY_EMBED_DENIED, { values: { table: refusal.table } })
    case 'unknown':
      throw new CodedError(proxyErrors.PROXY_EMBED_UNKNOWN, { values: { name: refusal.name } })
    case 'unreadable':
      throw new CodedError(proxyErrors.PROXY_SELECT_UNREADABLE)
    case 'deep':
    case 'wide': {
      const { embeds, depth } = SELECT_LIMITS
      throw new CodedError(proxyErrors.PROXY_SELECT_TOO_LARGE, { values: { embeds, depth } })
    }
  }
}

/** What the answer says about sessions and roles, and what a call wrote, is true at once, not when a cache has aged. */
function afterwards(
  request: FastifyRequest,
  reply: FastifyReply,
  { path }: BackendPath,
  { access, onWritten }: ProxyOptions,
): void {
  if (reply.statusCode === 401 || isSessionChange(request.method, path)) access.forget(request.headers)
  const change = reply.statusCode < 400 ? changedRights(request.method, path) : null
  if (change) access.invalidate(change)
  const table = reply.statusCode < 300 ? changedTable(request.method, path) : null
  if (table !== null) onWritten(table)
}

const isSessionChange = (method: string, path: string): boolean =>
  isIdentityPath(path) && (method !== 'GET' || path.endsWith('/logout'))
