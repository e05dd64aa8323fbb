import { STANDALONE_ROUTES } from '@watchroom/shared/access'
import { PeopleRolesSchema, WhoAmISchema } from '@watchroom/shared/identity'
import type { FastifyInstance } from 'fastify'

import { createDefineRoute, registerRoutes, type RoutePolicy, type RouteTable } from '../platform/http/defineRoute.ts'
import type { Identity } from './contract.ts'

const defineRoute = createDefineRoute<Identity>()

/**
 * Who am I, and what may I do, where nobody signs in. The backend knows no such person: there the gateway speaks for itself.
 * Wire shapes are the backend's.
 */
export async function standalonePlugin(
  app: FastifyInstance,
  { policy }: { readonly policy: RoutePolicy<Identity> },
): Promise<void> {
  const routes = {
    whoAmI: defineRoute({
      rule: STANDALONE_ROUTES.whoAmI,
      response: WhoAmISchema,
      handle: ({ caller: { userId: id, name, email } }) => ({
        message: 'success',
        payload: { user: { id, name, email } },
      }),
    }),
    roles: defineRoute({
      rule: STANDALONE_ROUTES.roles,
      response: PeopleRolesSchema,
      handle: ({ caller: { userId: id, name, email, roles } }) => [{ id, name, email, roles: [...roles] }],
    }),
  } satisfies RouteTable<typeof STANDALONE_ROUTES, Identity>
  registerRoutes(app, routes, policy)
}
