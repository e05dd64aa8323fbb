// The backend's HTTP server: asks who and whether for every route, then lets the capabilities answer. Deny by default: a path
// that the shared route table does not know does not exist here either.
import { findRoute, mayUseRoute, ROLES, type RouteAccess, SERVER_ROUTES } from '@watchroom/shared/access'
import { fastify, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'

import { ACTS_AS_HEADER, NO_ACCESS_TOKEN } from '../../platform/backendCaller.ts'
import type { Seal } from '../../platform/createSeal.ts'
import { isDatabaseAway } from '../../platform/database/sqlState.ts'
import { isBrokenOff } from '../../platform/http/callerSignal.ts'
import { registerRoutes, type RouteTable } from '../../platform/http/defineRoute.ts'
import { acceptJsonBodies } from '../../platform/jsonBodies.ts'
import type { AgentService } from '../agents/createAgentService.ts'
import { agentRoutes } from '../agents/routes.ts'
import type { Scrapers } from '../catalog/createScrapers.ts'
import type { ScrapeTrials } from '../catalog/createScrapeTrials.ts'
import { catalogReadRoutes } from '../catalog/read/routes.ts'
import { scraperRoutes } from '../catalog/routes.ts'
import type { HealthEngine } from '../checks/createHealthEngine.ts'
import { healthRoutes, type Programs } from '../checks/routes.ts'
import type { ConnectionTests } from '../connections/createConnectionTests.ts'
import { connectionRoutes } from '../connections/routes.ts'
import type { IdentityService } from '../identity/createIdentityService.ts'
import type { ProviderPeople } from '../identity/people/createProviderPeople.ts'
import { identityRoutes } from '../identity/routes.ts'
import { eventRoutes } from '../jobs/eventRoutes.ts'
import type { Logs } from '../logs/createLogs.ts'
import { logRoutes } from '../logs/routes.ts'
import type { MailService } from '../mail/createMailer.ts'
import { MailLineFullError } from '../mail/createMailer.ts'
import { mailRoutes } from '../mail/routes.ts'
import type { Notifications } from '../notifications/createNotifications.ts'
import { notificationRoutes } from '../notifications/routes.ts'
import type { PeopleService } from '../people/createPeopleService.ts'
import type { TokenService } from '../people/createTokenService.ts'
import { kubeconfigRoutes } from '../people/kubeconfigRoutes.ts'
import { peopleRoutes } from '../people/routes.ts'
import type { Playbooks } from '../playbooks/createPlaybooks.ts'
import { playbookRoutes } from '../playbooks/routes.ts'
import { resourceRoutes } from '../resources/routes.ts'
import { propertyRoutes } from '../settings/propertyRoutes.ts'
import { schemaRoutes } from '../settings/schemaRoutes.ts'
import { snapshotRoutes } from '../snapshots/routes.ts'
import type { ComponentEstate } from '../topology/estate/createComponentEstate.ts'
import { topologyRoutes } from '../topology/routes.ts'
import type { Topologies } from '../topology/sync/createTopologies.ts'
import { topologySyncRoutes } from '../topology/sync/routes.ts'
import { accountRoutes } from './accountRoutes.ts'
import { BACKEND_POLICY, defineBackendRoute } from './backendPolicy.ts'
import type { BackendContext } from './context.ts'
import { type AuthenticationFailure, createAuthenticator } from './createAuthenticator.ts'
import { DATABASE_AWAY, databaseRoutes, type DatabaseRoutesDeps } from './databaseRoutes.ts'
import { isService, type Principal } from './principal.ts'
import { toDatabaseRefusal } from './toDatabaseRefusal.ts'
import { toPolicyRight } from './toPolicyRight.ts'

/** Nobody reads it. */
const CALLER_GONE = 499

export interface ServerDeps extends DatabaseRoutesDeps {
  identity: IdentityService
  engine: HealthEngine
  programs: Programs
  connectionTests: ConnectionTests
  componentEstate: ComponentEstate
  agents: AgentService
  people: PeopleService
  tokens: TokenService
  logs: Logs
  mailer: MailService
  notifications: Notifications
  playbooks: Playbooks
  scrapers: Scrapers
  scrapeTrials: ScrapeTrials
  topologySyncs: Topologies['topologySyncs']
  topologyTrials: Topologies['topologyTrials']
  /** Where people sign in with a provider. */
  providerPeople: ProviderPeople | undefined
  /** Of secrets that people sign in with. */
  seal: Seal
  version: string
}

/** Bodies of the capabilities; `/db` and `/kratos` have limits of their own. */
const MAX_BODY_BYTES = 1_048_576
const FORBIDDEN = 'unauthorized. Access Denied'

export async function buildServer(context: BackendContext, deps: ServerDeps): Promise<FastifyInstance> {
  const app = fastify({ logger: false, bodyLimit: MAX_BODY_BYTES, forceCloseConnections: 'idle' })
  const authenticator = createAuthenticator({ ...context, ...deps, serviceToken: context.options.serviceToken })

  acceptJsonBodies(app)
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
    if (!authentication.ok) return refuseUnauthenticated(reply, authentication.error)
    const principal = speakFor(authentication.value, request.headers[ACTS_AS_HEADER])
    if (!principal) return refuseForbidden(request, reply, access)
    request.principal = principal
    if (access === 'service' ? isService(principal) : mayUseRoute(access, principal.roles)) return undefined
    return refuseForbidden(request, reply, access)
  })
  app.setErrorHandler(async (error, request, reply) => {
    if (error instanceof Error && isBrokenOff(error, reply))
      return reply.code(CALLER_GONE).send({ error: error.message })
    const status = error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : 500
    if (status < 500 && error instanceof Error) return reply.code(status).send({ error: error.message })
    if (isDatabaseAway(error)) return reply.code(503).header('retry-after', '1').send({ error: DATABASE_AWAY })
    if (error instanceof MailLineFullError)
      return reply.code(503).header('retry-after', '60').send({ error: error.message })
    const refusal = toDatabaseRefusal(error)
    if (refusal) return reply.code(refusal.status).send({ error: refusal.error })
    context.logger.error({ err: error, route: request.routeOptions.url }, 'request failed')
    return reply.code(500).send({ error: 'Internal error.' })
  })
  app.setNotFoundHandler((request, reply) => refuseUnknown(reply, request.url))

  const routes = {
    isServing: defineBackendRoute({
      rule: SERVER_ROUTES.isServing,
      response: 'own',
      handle: ({ reply }) => reply.type('text/plain').send('OK'),
    }),
  } satisfies RouteTable<typeof SERVER_ROUTES, Principal>
  registerRoutes(app, routes, BACKEND_POLICY)
  await app.register(databaseRoutes, { context, ...deps })
  await app.register(identityRoutes, { context, ...deps })
  await app.register(accountRoutes, deps)
  await app.register(propertyRoutes, { context })
  await app.register(schemaRoutes)
  await app.register(eventRoutes, { context })
  await app.register(connectionRoutes, { context, ...deps })
  await app.register(healthRoutes, { context, ...deps })
  await app.register(agentRoutes, { context, ...deps })
  await app.register(resourceRoutes, { context })
  await app.register(catalogReadRoutes, { context })
  await app.register(snapshotRoutes, { context, ...deps })
  await app.register(topologyRoutes, deps)
  await app.register(topologySyncRoutes, { context, ...deps })
  await app.register(peopleRoutes, { context, ...deps })
  await app.register(kubeconfigRoutes, { context, ...deps })
  await app.register(logRoutes, deps)
  await app.register(mailRoutes, deps)
  await app.register(notificationRoutes, { context, ...deps })
  await app.register(playbookRoutes, { context, ...deps })
  await app.register(scraperRoutes, { context, ...deps })
  // Capabilities register their routes here, one line each.
  return app
}

/**
 * The gateway says whose part it plays where people do not sign in; nobody else may say so, it is not read from them.
 *
 * @returns null when it names no role: then nothing is left that it could be allowed
 */
function speakFor(principal: Principal, header: string | string[] | undefined): Principal | null {
  if (principal.kind !== 'service' || header === undefined) return principal
  const role = ROLES.find((name) => name === header)
  return role === undefined ? null : { ...principal, actsAs: role, roles: [role], roleNames: [role] }
}

function refuseUnauthenticated(reply: FastifyReply, failure: AuthenticationFailure): FastifyReply {
  if ('text' in failure) {
    return reply
      .code(failure.text === NO_ACCESS_TOKEN ? 400 : 401)
      .type('text/plain')
      .send(failure.text)
  }
  const seconds = Math.ceil(failure.waitMs / 1_000)
  return reply
    .code(429)
    .header('retry-after', seconds)
    .send({ error: `Too many failed attempts. Try again in ${seconds} s.` })
}

function refuseUnknown(reply: FastifyReply, path: string): FastifyReply {
  return path.startsWith('/db/') ? reply.code(404).send() : reply.code(404).send({ error: 'not_found' })
}

/** Outside of `/db` the answer names the missing right, as that of the real backend does. */
function refuseForbidden(request: FastifyRequest, reply: FastifyReply, access: RouteAccess): FastifyReply {
  const right = request.url.startsWith('/db/') ? undefined : toPolicyRight(request.method, request.url, access)
  if (right) {
    reply.headers({
      'x-rbac-subject': request.principal?.id ?? '',
      'x-rbac-object': right.object,
      'x-rbac-action': right.action,
    })
  }
  return reply.code(403).type('text/plain').send(FORBIDDEN)
}
