// Logs over HTTP, in the shapes of the product whose API we speak (backend reference 4.8).
import { LOG_ROUTES } from '@watchroom/shared/access'
import { LogPageSchema, LogQuerySchema } from '@watchroom/shared/logs'
import type { FastifyInstance } from 'fastify'

import { registerRoutes, type RoutePolicy, type RouteTable } from '../../platform/http/defineRoute.ts'
import { Refusal } from '../../platform/http/refusal.ts'
import { BACKEND_POLICY, defineBackendRoute } from '../server/backendPolicy.ts'
import type { Principal } from '../server/principal.ts'
import type { Logs } from './createLogs.ts'

const NO_ID = { error: 'ID field is required', message: 'Component ID is required' }

export async function logRoutes(app: FastifyInstance, { logs }: { readonly logs: Logs }): Promise<void> {
  const routes = {
    search: defineBackendRoute({
      rule: LOG_ROUTES.search,
      body: LogQuerySchema,
      response: LogPageSchema,
      handle: ({ body }) => logs.search(body),
    }),
  } satisfies RouteTable<typeof LOG_ROUTES, Principal>

  const policy: RoutePolicy<Principal> = {
    ...BACKEND_POLICY,
    toError: ({ message, fields }) =>
      new Refusal(
        400,
        fields.some(({ field }) => field === 'id') ? NO_ID : { error: message, message: 'invalid request' },
      ),
  }
  registerRoutes(app, routes, policy)
}
