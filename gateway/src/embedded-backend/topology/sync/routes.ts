// `/canary/run/topology/{id}` syncs a topology now, and says what became of it; `/canary/try/topology` says what a sync would make.
import { TOPOLOGY_SYNC_ROUTES } from '@watchroom/shared/access'
import { TryTopologyRequestSchema, TryTopologyResponseSchema } from '@watchroom/shared/topology'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'

import { callerSignal } from '../../../platform/http/callerSignal.ts'
import { registerRoutes, type RouteTable } from '../../../platform/http/defineRoute.ts'
import { Refusal } from '../../../platform/http/refusal.ts'
import type { Programs } from '../../checks/routes.ts'
import { BACKEND_POLICY, defineBackendRoute } from '../../server/backendPolicy.ts'
import type { BackendContext } from '../../server/context.ts'
import { fillTried } from '../../server/fillTried.ts'
import { findProgramRefusal } from '../../server/findProgramRefusal.ts'
import type { Principal } from '../../server/principal.ts'
import type { Topologies } from './createTopologies.ts'
import { readFacts } from './runTopology.ts'

const RunAnswerSchema = z.object({
  status: z.enum(['ok', 'failed']),
  /** Components that it has, as the API that we speak writes it. */
  count: z.string(),
  errors: z.array(z.string()),
})

interface Deps extends Pick<Topologies, 'topologySyncs' | 'topologyTrials'> {
  readonly context: Pick<BackendContext, 'pool' | 'vault'>
  readonly programs: Pick<Programs, 'savers'>
}

export async function topologySyncRoutes(
  app: FastifyInstance,
  { context: { pool, vault }, topologySyncs, topologyTrials, programs }: Deps,
): Promise<void> {
  const fillIn = async (spec: Record<string, unknown>, id: string | null) => {
    if (id === null) return { spec, secrets: [] }
    if ((await readFacts(pool, id)) === null) throw new Refusal(404, { error: `no topology ${id} is synced here` })
    return fillTried(vault, 'topologies', id, spec)
  }

  const routes = {
    run: defineBackendRoute({
      rule: TOPOLOGY_SYNC_ROUTES.run,
      params: z.object({ id: z.guid() }),
      response: RunAnswerSchema,
      handle: async ({ params }) => {
        const run = await topologySyncs.runNow(params.id.toLowerCase())
        if (run.kind === 'unknown') throw new Refusal(404, { error: `no topology ${params.id} is synced here` })
        if (run.kind === 'running') throw new Refusal(409, { error: 'this topology is being synced already' })
        if (run.kind === 'overdue')
          throw new Refusal(504, { error: 'the sync did not end in time; see the job history' })
        const { status, errors, components } = run.record
        const word = status === 'FAILED' ? ('failed' as const) : ('ok' as const)
        return { status: word, count: String(components), errors: [...errors] }
      },
    }),

    tryOut: defineBackendRoute({
      rule: TOPOLOGY_SYNC_ROUTES.tryOut,
      body: TryTopologyRequestSchema,
      response: TryTopologyResponseSchema,
      handle: async ({ caller, body, reply }) => {
        const refusal = findProgramRefusal(body.spec, programs.savers, caller.roles)
        if (refusal !== null) throw new Refusal(403, { error: refusal })
        const id = body.topology_id ?? null
        const filled = await fillIn(body.spec, id)
        const trial = await topologyTrials.run(caller.id, { ...filled, id }, callerSignal(reply))
        if (!trial.ok) throw new Refusal(trial.error.status, { error: trial.error.message })
        return trial.value
      },
    }),
  } satisfies RouteTable<typeof TOPOLOGY_SYNC_ROUTES, Principal>
  registerRoutes(app, routes, BACKEND_POLICY)
}
