import { findRoute, mayUseRoute, type RouteRule } from '@watchroom/shared/access'
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteShorthandOptions } from 'fastify'

import type { Access, Identity } from '../access/contract.ts'
import { CodedError } from '../platform/errors.ts'
import type { Metrics } from '../platform/metrics.ts'
import { changedRights } from './changedRights.ts'
import { proxyErrors } from './errors.ts'
import { forward, type ForwardDeps } from './forward.ts'
import { AGENT_PREFIX, API_PREFIX, type BackendPath, isIdentityPath, toBackendPath } from './paths.ts'

/** The largest canary or playbook people write by hand is a hundredth of this. */
const MAX_BODY_BYTES = 1_048_576
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']

declare module 'fastify' {
  interface FastifyRequest {
    /** Template of the backend's route, for metrics: bounded, unlike the path. */
    backendRoute: string | null
  }
}

export interface ProxyOptions extends ForwardDeps {
  readonly access: Access
  readonly metrics: Metrics
  /** @throws CodedError when there is no session */
  readonly requireIdentity: (request: FastifyRequest) => Promise<Identity>
  /** @throws CodedError always */
  readonly deny: () => never
  /** Route options of the posts that take passwords. */
  readonly signInRoute: RouteShorthandOptions
}

/** Everything under `/api`: asks who may, and carries the rest to the backend. */
export async function proxyPlugin(app: FastifyInstance, options: ProxyOptions): Promise<void> {
  const duration = options.metrics.histogram({
    name: 'watchroom_backend_request_seconds',
    help: 'Time until the backend began to answer a proxied request, or failed to',
    labelNames: ['route', 'status'],
  })

  app.decorateRequest('backendRoute', null)
  // Bodies pass as they are; only their size matters here.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: MAX_BODY_BYTES }, (_request, body, done) =>
    done(null, body),
  )

  const handle = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const path = toBackendPath(request.raw.url ?? '')
    if (!path) throw new CodedError(proxyErrors.PROXY_PATH_REFUSED)
    const rule = requireRoute(request.method, path)
    request.backendRoute = rule.path
    await requireRight(request, rule, options)
    const stop = duration.startTimer({ route: rule.path })
    try {
      await forward(request, reply, { ...path, rule }, options)
    } catch (error) {
      // The calls that operators look for are those that went wrong.
      stop({ status: error instanceof CodedError ? error.status : 500 })
      throw error
    }
    stop({ status: reply.statusCode })
    afterwards(request, reply, path, options.access)
    return reply
  }

  app.get(`${API_PREFIX}/_health`, () => ({ health: 'ok' }))
  for (const prefix of [API_PREFIX, AGENT_PREFIX]) {
    app.route({ method: METHODS, url: `${prefix}/*`, bodyLimit: MAX_BODY_BYTES, handler: handle })
  }
  for (const prefix of ['.ory', 'kratos']) {
    app.post(`${API_PREFIX}/${prefix}/self-service/*`, { ...options.signInRoute, bodyLimit: MAX_BODY_BYTES }, handle)
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

async function requireRight(request: FastifyRequest, rule: RouteRule, options: ProxyOptions): Promise<void> {
  if (rule.access === 'public') return
  const identity = await options.requireIdentity(request)
  if (!mayUseRoute(rule.access, identity.roles)) options.deny()
}

/** What the answer says about sessions and roles is true at once, not when the cache has aged. */
function afterwards(request: FastifyRequest, reply: FastifyReply, { path }: BackendPath, access: Access): void {
  if (reply.statusCode === 401 || isSessionChange(request.method, path)) access.forget(request.headers)
  const change = reply.statusCode < 400 ? changedRights(request.method, path) : null
  if (change) access.invalidate(change)
}

const isSessionChange = (method: string, path: string): boolean =>
  isIdentityPath(path) && (method !== 'GET' || path.endsWith('/logout'))
