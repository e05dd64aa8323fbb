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
import { findResources } from './findResources.ts'

/** `POST /resources/search`: resources by selectors or by how their words begin, of the kinds that the caller may read. */
export async function resourceRoutes(app: FastifyInstance, { context }: { context: BackendContext }): Promise<void> {
  const routes = {
    search: defineBackendRoute({
      rule: RESOURCE_ROUTES.search,
      body: ResourceSearchSchema,
      response: ResourceSearchAnswerSchema,
      handle: async ({ caller, body }) => {
        const found = []
        // One after the other: whoever types has one question under way, not one of each kind.
        for (const kind of SEARCH_KIND_NAMES) {
          const selectors = body[kind] ?? []
          if (selectors.length === 0 || !can(caller.roles, 'read', SEARCH_KINDS[kind])) continue
          const resources = await findResources(context.pool, kind, selectors, body.limit)
          if (resources.length > 0) found.push([kind, resources] as const)
        }
        return Object.fromEntries(found)
      },
    }),
  } satisfies RouteTable<typeof RESOURCE_ROUTES, Principal>
  registerRoutes(app, routes, BACKEND_POLICY)
}
