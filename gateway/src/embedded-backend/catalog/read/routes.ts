import { CATALOG_ROUTES } from '@watchroom/shared/access'
import { ConfigChangeSchema, ConfigSummarySchema } from '@watchroom/shared/catalog'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'

import { registerRoutes, type RouteTable } from '../../../platform/http/defineRoute.ts'
import { BACKEND_POLICY, defineBackendRoute } from '../../server/backendPolicy.ts'
import type { BackendContext } from '../../server/context.ts'
import type { Principal } from '../../server/principal.ts'
import { type ChangesRequest, ChangesRequestSchema, parseChangesRequest } from './changesRequest.ts'
import { findChanges } from './findChanges.ts'
import { summarize } from './summarize.ts'
import { parseSummaryRequest, SummaryRequestSchema } from './summaryRequest.ts'

const SummarySchema = z.array(ConfigSummarySchema)
/** Without the parts that are empty. */
const ChangesSchema = z.object({
  summary: z.record(z.string(), z.number()).optional(),
  total: z.number().optional(),
  changes: z.array(ConfigChangeSchema).optional(),
})

/** `/catalog/summary` and `/catalog/changes`: what tables and views cannot say of the catalog. */
export async function catalogReadRoutes(app: FastifyInstance, { context }: { context: BackendContext }): Promise<void> {
  const { clock, pool } = context
  const answerChanges = (request: ChangesRequest) => findChanges(pool, parseChangesRequest(request, clock.now()))
  const routes = {
    summary: defineBackendRoute({
      rule: CATALOG_ROUTES.summary,
      body: SummaryRequestSchema,
      response: 'own',
      handle: async ({ body, reply }) => {
        const rows = SummarySchema.parse(await summarize(pool, parseSummaryRequest(body, clock.now())))
        // Nothing at all is `null` on the wire, which no schema of an answer can say.
        return reply.type('application/json').send(JSON.stringify(rows.length === 0 ? null : rows))
      },
    }),
    changes: defineBackendRoute({
      rule: CATALOG_ROUTES.changes,
      body: ChangesRequestSchema,
      response: ChangesSchema,
      handle: ({ body }) => answerChanges(body),
    }),
    changesByAddress: defineBackendRoute({
      rule: CATALOG_ROUTES.changesByAddress,
      query: ChangesRequestSchema,
      response: ChangesSchema,
      handle: ({ query }) => answerChanges(query),
    }),
  } satisfies RouteTable<typeof CATALOG_ROUTES, Principal>
  registerRoutes(app, routes, BACKEND_POLICY)
}
