import { can, RESOURCE_ROUTES } from '@watchroom/shared/access'
import {
  ResourceSearchAnswerSchema,
  ResourceSearchSchema,
  SEARCH_KIND_NAMES,
  SEARCH_KINDS,
} from '@watchroom/shared/resources'
import type { FastifyInstance } from 'fastify'

import { registerRoutes, type RouteTable } from '../../platform/http/defineRoute.ts'
import { BACKEND_POLICY, defineBackendRoute } from '../server/backendPolicy.ts'
import type { BackendContext } from '../server/context.ts'
import type { Principal } from '../server/principal.ts'
import { findOfKinds } from './findResources.ts'

/** `POST /resources/search`: resources by selectors or by how their words begin, of the kinds that the caller may read. */
export async function resourceRoutes(app: FastifyInstance, { context }: { context: BackendContext }): Promise<void> {
  const routes = {
    search: defineBackendRoute({
      rule: RESOURCE_ROUTES.search,
      body: ResourceSearchSchema,
      response: ResourceSearchAnswerSchema,
      handle: async ({ caller, body }) => {
        const asked = SEARCH_KIND_NAMES.map((kind) => [kind, body[kind] ?? []] as const).filter(
          ([kind, selectors]) => selectors.length > 0 && can(caller.roles, 'read', SEARCH_KINDS[kind]),
        )
        const found = await findOfKinds(context.pool, asked, body.limit)
        return Object.fromEntries(found.filter(([, resources]) => resources.length > 0))
      },
    }),
  } satisfies RouteTable<typeof RESOURCE_ROUTES, Principal>
  registerRoutes(app, routes, BACKEND_POLICY)
}
