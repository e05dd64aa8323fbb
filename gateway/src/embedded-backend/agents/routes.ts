// `/agent/generate` for people, `/upstream/*` and `/push/topology` for agents (backend reference 1.4, 4.7, 14.1). The caller was
// authenticated before these handlers run; whether it is an agent, and whose rows it touches, is asked here.
import { AGENT_ROUTES } from '@watchroom/shared/access'
import { isStorable } from '@watchroom/shared/kernel'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'

import { isUniqueViolation } from '../../platform/database/sqlState.ts'
import { registerRoutes, type RouteTable } from '../../platform/http/defineRoute.ts'
import { withLowerCaseKeys } from '../../platform/http/withLowerCaseKeys.ts'
import type { HealthEngine } from '../checks/createHealthEngine.ts'
import type { Playbooks } from '../playbooks/createPlaybooks.ts'
import { BACKEND_POLICY, defineBackendRoute } from '../server/backendPolicy.ts'
import type { BackendContext } from '../server/context.ts'
import type { Principal } from '../server/principal.ts'
import { refuse } from './agentCaller.ts'
import type { AgentService } from './createAgentService.ts'
import { createPullRoutes } from './pullRoutes.ts'
import { createPushRoutes } from './pushRoutes.ts'

export interface AgentRoutesDeps {
  context: Pick<BackendContext, 'pool' | 'vault' | 'clock' | 'logger'>
  agents: AgentService
  engine: HealthEngine
  playbooks: Pick<Playbooks, 'takeForAgent' | 'untilStep'>
}

const NewAgentSchema = z.object({
  name: z.string().trim().min(1, 'name is required').max(256).refine(isStorable, 'holds what no text may hold'),
  properties: z.record(z.string(), z.string()).nullish(),
})

const GeneratedAgentSchema = z.object({ id: z.string(), username: z.string(), access_token: z.string() })
export async function agentRoutes(app: FastifyInstance, deps: AgentRoutesDeps): Promise<void> {
  const generateRoutes = {
    generate: defineBackendRoute({
      rule: AGENT_ROUTES.generate,
      body: z.preprocess(withLowerCaseKeys, NewAgentSchema),
      status: 201,
      response: GeneratedAgentSchema,
      handle: async ({ caller, body: { name, properties } }) => {
        const createdBy = caller.kind === 'person' ? caller.id : null
        try {
          return await deps.agents.generate({ name, properties: properties ?? {}, createdBy })
        } catch (error) {
          if (!isUniqueViolation(error)) throw error
          throw refuse(409, `there is already an agent named ${name}`, 'error generating agent')
        }
      },
    }),
  } satisfies Pick<RouteTable<typeof AGENT_ROUTES, Principal>, 'generate'>
  registerRoutes(app, generateRoutes, BACKEND_POLICY)

  const upstreamRoutes = {
    ...createPushRoutes(deps),
    ...createPullRoutes(app, deps),
  } satisfies Omit<RouteTable<typeof AGENT_ROUTES, Principal>, 'generate'>
  await app.register(async (scope) => {
    // Agents of the real product do not say what they send: everything is taken as it comes.
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
    registerRoutes(scope, upstreamRoutes, BACKEND_POLICY)
  })
}
