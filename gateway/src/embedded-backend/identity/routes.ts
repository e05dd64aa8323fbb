// The Kratos self-service API under `/kratos`: flows, the caller's sessions, links, and why a flow failed.
import { IDENTITY_ROUTES, type RouteRule } from '@watchroom/shared/access'
import { FlowErrorSchema } from '@watchroom/shared/identity'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'

import type { Seal } from '../../platform/createSeal.ts'
import { isDatabaseAway } from '../../platform/database/sqlState.ts'
import { registerRoutes, type RoutePolicy, type RouteTable } from '../../platform/http/defineRoute.ts'
import type { Mailer } from '../mail/createMailer.ts'
import { MailLineFullError } from '../mail/createMailer.ts'
import { BACKEND_POLICY, defineBackendRoute } from '../server/backendPolicy.ts'
import type { BackendContext } from '../server/context.ts'
import type { Principal } from '../server/principal.ts'
import { toDatabaseRefusal } from '../server/toDatabaseRefusal.ts'
import { createFlowErrors, type FlowErrors } from './createFlowErrors.ts'
import type { IdentityService } from './createIdentityService.ts'
import { createNewFlowLimit, type NewFlowLimit } from './createNewFlowLimit.ts'
import { createFlows } from './flows/createFlows.ts'
import { MAX_BODY_BYTES } from './flows/registerFlow.ts'
import { IdentityRefusal, REFUSALS } from './identityErrors.ts'
import { isNavigation } from './requests.ts'
import { createSessionKeeper } from './sessions/createSessionKeeper.ts'
import { sessionRoutes } from './sessions/sessionRoutes.ts'

/** What is known of the identity service and not offered here; `ROUTE_ACCESS` lets nothing else in. */
const OTHER_FLOWS = { method: 'ANY', path: '/kratos/*', access: 'public' } as const satisfies RouteRule

const POLICY: RoutePolicy<Principal> = {
  ...BACKEND_POLICY,
  toError: () => new IdentityRefusal(REFUSALS.unreadableBody),
}

const text = z.string().catch('')

interface Deps {
  readonly context: BackendContext
  readonly identity: IdentityService
  readonly mailer: Mailer
  readonly seal: Seal
}

export async function identityRoutes(app: FastifyInstance, deps: Deps): Promise<void> {
  const { context, identity } = deps
  const flowErrors = createFlowErrors(context)
  const keeper = createSessionKeeper(identity)
  const newFlows = createNewFlowLimit(context)
  const flows = createFlows({ ...deps, keeper, newFlows, policy: POLICY })

  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: MAX_BODY_BYTES },
    (_request, body, done) => done(null, nest(new URLSearchParams(String(body)))),
  )
  app.setErrorHandler(createErrorHandler(context, flowErrors, newFlows))

  const routes = {
    ...sessionRoutes({ sessions: identity, keeper }),
    ...flows.linkRoutes,
    returnFromProvider: flows.returnRoute,
    readError: defineBackendRoute({
      rule: IDENTITY_ROUTES.readError,
      query: z.object({ id: text }),
      response: FlowErrorSchema,
      handle: async ({ query }) => {
        const found = await flowErrors.find(query.id)
        if (!found) throw new IdentityRefusal(REFUSALS.flowNotFound)
        return found
      },
    }),
  } satisfies RouteTable<typeof IDENTITY_ROUTES, Principal>

  const otherFlows = defineBackendRoute({
    rule: OTHER_FLOWS,
    response: 'own',
    handle: () => {
      throw new IdentityRefusal(REFUSALS.linkDisabled)
    },
  })
  flows.register(app)
  registerRoutes(app, { ...routes, otherFlows }, POLICY)
}

function createErrorHandler(context: BackendContext, flowErrors: FlowErrors, newFlows: NewFlowLimit) {
  /** A person who navigated here sees a page of the product, not JSON. What it says is a row as well. */
  const redirectRefused = async (refusal: IdentityRefusal, request: FastifyRequest, reply: FastifyReply) => {
    if (refusal.goesOn !== null) return reply.redirect(refusal.goesOn, 303)
    newFlows.take(request, reply)
    return reply.redirect(`/error?id=${await flowErrors.create(refusal.body.error)}`, 303)
  }

  const send = ({ statusCode, body }: IdentityRefusal, reply: FastifyReply) => reply.code(statusCode).send(body)

  return async (error: unknown, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    if (error instanceof IdentityRefusal) {
      if (!isNavigation(request)) return send(error, reply)
      try {
        return await redirectRefused(error, request, reply)
      } catch (tooMany) {
        if (tooMany instanceof IdentityRefusal) return send(tooMany, reply)
        throw tooMany
      }
    }
    const sent = error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : 500
    const status = toDatabaseRefusal(error)?.status ?? sent
    if (status < 500)
      return reply.code(status).send(new IdentityRefusal({ ...REFUSALS.unreadableBody, code: status }).body)
    if (isDatabaseAway(error)) {
      return reply.code(503).header('retry-after', '1').send(new IdentityRefusal(REFUSALS.databaseAway).body)
    }
    if (error instanceof MailLineFullError) {
      const refusal = new IdentityRefusal({ code: 503, reason: error.message, message: error.message })
      return reply.code(503).header('retry-after', '60').send(refusal.body)
    }
    context.logger.error({ err: error, path: request.routeOptions.url }, 'identity request failed')
    return reply
      .code(500)
      .send({ error: { code: 500, status: 'Internal Server Error', message: 'An internal server error occurred' } })
  }
}

/** A form's fields as JSON would have them: `traits.name.first` is three levels deep. */
function nest(fields: URLSearchParams): Record<string, unknown> {
  const body: Record<string, unknown> = {}
  for (const [name, value] of fields) {
    const path = name.split('.')
    const last = path.pop() ?? ''
    let target = body
    for (const key of path) {
      const inner = Object.hasOwn(target, key) ? target[key] : undefined
      const branch: Record<string, unknown> = typeof inner === 'object' ? { ...inner } : {}
      Object.defineProperty(target, key, { value: branch, enumerable: true, configurable: true, writable: true })
      target = branch
    }
    Object.defineProperty(target, last, { value, enumerable: true, configurable: true, writable: true })
  }
  return body
}
