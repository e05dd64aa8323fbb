import { HOSTED_ROUTES } from '@watchroom/shared/access'
import type { FastifyInstance } from 'fastify'

import { createDefineRoute, registerRoutes, type RoutePolicy } from '../platform/http/defineRoute.ts'
import type { Identity } from './contract.ts'

const defineRoute = createDefineRoute<Identity>()

/** Says that nobody chooses an organization here, where people do not sign in with a provider: pages ask before anyone is known. */
export async function oneOrganizationPlugin(
  app: FastifyInstance,
  { policy }: { readonly policy: RoutePolicy<Identity> },
): Promise<void> {
  const listOrganizations = defineRoute({
    rule: HOSTED_ROUTES.listOrganizations,
    response: 'own',
    handle: ({ reply }) => reply.type('application/json; charset=utf-8').send('null'),
  })
  registerRoutes(app, { listOrganizations }, policy)
}
