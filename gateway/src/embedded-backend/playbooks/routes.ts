// Playbooks over HTTP, in the shapes of the product whose API we speak (backend reference 8).
import type { PLAYBOOK_ROUTES } from '@watchroom/shared/access'
import type { FastifyInstance } from 'fastify'

import { registerRoutes, type RoutePolicy, type RouteTable } from '../../platform/http/defineRoute.ts'
import { BACKEND_POLICY } from '../server/backendPolicy.ts'
import type { Principal } from '../server/principal.ts'
import { artifactRoute } from './artifactRoute.ts'
import { offerRoutes } from './offerRoutes.ts'
import { type PlaybookRoutesDeps, refuse } from './requests.ts'
import { runRoutes } from './runRoutes.ts'
import { webhookRoute } from './webhookRoute.ts'

export async function playbookRoutes(app: FastifyInstance, deps: PlaybookRoutesDeps): Promise<void> {
  const policy: RoutePolicy<Principal> = {
    ...BACKEND_POLICY,
    toError: ({ message }) => refuse(400, message, 'invalid request'),
  }
  const { webhook, ...others } = {
    ...offerRoutes(deps),
    ...runRoutes(deps),
    ...webhookRoute(deps),
    ...artifactRoute(deps),
  } satisfies RouteTable<typeof PLAYBOOK_ROUTES, Principal>
  registerRoutes(app, others, policy)
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body))
    registerRoutes(scope, { webhook }, policy)
  })
}
