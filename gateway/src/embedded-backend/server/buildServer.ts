// The backend's HTTP server: asks who and whether for every route, then lets the capabilities answer. Deny by default: a path
// that the shared route table does not know does not exist here either.
import { findRoute, mayUseRoute, type RouteAccess } from '@watchroom/shared/access'
import { fastify, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'

import type { AgentService } from '../agents/createAgentService.ts'
import { agentRoutes } from '../agents/routes.ts'
import type { HealthEngine } from '../checks/createHealthEngine.ts'
import { healthRoutes } from '../checks/routes.ts'
import type { IdentityService } from '../identity/createIdentityService.ts'
import { identityRoutes } from '../identity/routes.ts'
import { isDatabaseAway } from '../postgres/isDatabaseAway.ts'
import { propertyRoutes } from '../settings/propertyRoutes.ts'
import { snapshotRoutes } from '../snapshots/routes.ts'
import { accountRoutes } from './accountRoutes.ts'
import type { BackendContext } from './context.ts'
import { createAuthenticator } from './createAuthenticator.ts'
import { DATABASE_AWAY, databaseRoutes, type DatabaseRoutesDeps } from './databaseRoutes.ts'

export interface ServerDeps extends DatabaseRoutesDeps {
  identity: IdentityService
  engine: HealthEngine
  agents: AgentService
  version: string
}

/** Bodies of the capabilities; `/db` and `/kratos` have limits of their own. */
const MAX_BODY_BYTES = 1_048_576
const FORBIDDEN = 'unauthorized. Access Denied'

export async function buildServer(context: BackendContext, deps: ServerDeps): Promise<FastifyInstance> {
  const app = fastify({ logger: false, bodyLimit: MAX_BODY_BYTES, forceCloseConnections: 'idle' })
  const authenticator = createAuthenticator({ ...context, ...deps, serviceToken: context.options.serviceToken })

  app.decorateRequest('principal', null)
  app.addHook('onRequest', async (request, reply) => {
    const path = (request.raw.url ?? '').split('?', 1)[0] ?? ''
    const match = findRoute(request.method, path)
    if (match.kind === 'unknown') return refuseUnknown(reply, path)
    if (match.kind === 'wrong-method')
      return reply
        .code(path.startsWith('/db/') ? 403 : 405)
        .type('text/plain')
        .send(FORBIDDEN)
    const { access } = match.rule
    if (access === 'public') return undefined
    const authentication = await authenticator.authenticate(request)
    if (!authentication.ok) return reply.code(401).type('text/plain').send(authentication.error)
    request.principal = authentication.value
    if (mayUseRoute(access, authentication.value.roles)) return undefined
    return refuseForbidden(request, reply, access)
  })
  app.setErrorHandler(async (error, request, reply) => {
    const status = error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : 500
    if (status < 500 && error instanceof Error) return reply.code(status).send({ error: error.message })
    if (isDatabaseAway(error)) return reply.code(503).header('retry-after', '1').send({ error: DATABASE_AWAY })
    context.logger.error({ err: error, route: request.routeOptions.url }, 'request failed')
    return reply.code(500).send({ error: 'Internal error.' })
  })
  app.setNotFoundHandler((request, reply) => refuseUnknown(reply, request.url))

  app.get('/health', (_request, reply) => reply.type('text/plain').send('OK'))
  await app.register(databaseRoutes, { context, ...deps })
  await app.register(identityRoutes, { context, ...deps })
  await app.register(accountRoutes)
  await app.register(propertyRoutes, { context })
  await app.register(healthRoutes, { context, ...deps })
  await app.register(agentRoutes, { context, ...deps })
  await app.register(snapshotRoutes, { context })
  // Capabilities register their routes here, one line each.
  return app
}

function refuseUnknown(reply: FastifyReply, path: string): FastifyReply {
  return path.startsWith('/db/') ? reply.code(404).send() : reply.code(404).send({ error: 'not_found' })
}

/** Which right was missing is told outside of `/db`, as the real backend does. */
function refuseForbidden(request: FastifyRequest, reply: FastifyReply, access: RouteAccess): FastifyReply {
  if (typeof access === 'object' && 'action' in access && !request.url.startsWith('/db/')) {
    reply.headers({
      'x-rbac-subject': request.principal?.id ?? '',
      'x-rbac-object': access.resource,
      'x-rbac-action': access.action,
    })
  }
  return reply.code(403).type('text/plain').send(FORBIDDEN)
}
