import { can, CATALOG_ROUTES, type Resource } from '@watchroom/shared/access'
import {
  ConfigChangeSchema,
  type LensStartKind,
  WhatChangedRequestSchema,
  WhatChangedSchema,
} from '@watchroom/shared/catalog'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'

import { registerRoutes, type RouteTable } from '../../../platform/http/defineRoute.ts'
import { Refusal } from '../../../platform/http/refusal.ts'
import { BACKEND_POLICY, defineBackendRoute } from '../../server/backendPolicy.ts'
import type { BackendContext } from '../../server/context.ts'
import type { Principal } from '../../server/principal.ts'
import { parseChangesRequest } from './changesRequest.ts'
import { findChanges } from './findChanges.ts'
import { summarize } from './summarize.ts'
import { parseSummaryRequest, SummaryRequestSchema } from './summaryRequest.ts'
import { findWhatChanged } from './whatChanged.ts'

/** Without the parts that are empty. */
const ChangesSchema = z.object({
  summary: z.record(z.string(), z.number()).optional(),
  total: z.number().optional(),
  changes: z.array(ConfigChangeSchema).optional(),
})

/** Who may start from it: whoever may read it. */
const START_RESOURCES = {
  config: 'database',
  check: 'canaries',
  component: 'topologies',
  incident: 'incident',
  instant: 'database',
} as const satisfies Record<LensStartKind, Resource>

/** Below `/catalog/`: what tables and views cannot say of the catalog. */
export async function catalogReadRoutes(app: FastifyInstance, { context }: { context: BackendContext }): Promise<void> {
  const { clock, pool } = context
  const answerChanges = (request: unknown) => findChanges(pool, parseChangesRequest(request, clock.now()))
  const routes = {
    summary: defineBackendRoute({
      rule: CATALOG_ROUTES.summary,
      body: SummaryRequestSchema,
      response: 'own',
      handle: async ({ body, reply }) => {
        const rows = await summarize(pool, parseSummaryRequest(body, clock.now()))
        // Nothing at all is `null` on the wire, which no schema of an answer can say.
        return reply.type('application/json').send(JSON.stringify(rows.length === 0 ? null : rows))
      },
    }),
    changes: defineBackendRoute({
      rule: CATALOG_ROUTES.changes,
      body: z.unknown(),
      response: ChangesSchema,
      handle: ({ body }) => answerChanges(body),
    }),
    changesByAddress: defineBackendRoute({
      rule: CATALOG_ROUTES.changesByAddress,
      query: z.unknown(),
      response: ChangesSchema,
      handle: ({ query }) => answerChanges(query),
    }),
    whatChanged: defineBackendRoute({
      rule: CATALOG_ROUTES.whatChanged,
      body: WhatChangedRequestSchema,
      response: WhatChangedSchema,
      handle: async ({ caller: { roles }, body }) => {
        const resource = START_RESOURCES[body.start]
        if (!can(roles, 'read', resource)) throw new Refusal(403, { error: `you may not read ${resource}` })
        const rights = { runs: can(roles, 'read', 'playbook_runs'), agents: can(roles, 'read', 'agents') }
        const found = await findWhatChanged(pool, body, { now: clock.now(), rights })
        if (found === null) throw new Refusal(404, { error: `no ${body.start} ${body.id}` })
        return found
      },
    }),
  } satisfies RouteTable<typeof CATALOG_ROUTES, Principal>
  registerRoutes(app, routes, BACKEND_POLICY)
}
