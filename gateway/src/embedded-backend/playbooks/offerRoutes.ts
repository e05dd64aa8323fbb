// Which playbooks there are for a resource, and what they ask for.
import { PLAYBOOK_ROUTES } from '@watchroom/shared/access'
import { PlaybookSpecSchema, toPlaybookJsonSchema } from '@watchroom/shared/playbooks'
import { ofAnyAgent } from '@watchroom/shared/resources'
import { z } from 'zod'

import { TemplateFault } from '../../step-runner/templateFault.ts'
import { isTrue } from '../../step-runner/templates.ts'
import { findMeant } from '../resources/findResources.ts'
import { defineBackendRoute } from '../server/backendPolicy.ts'
import type { PlaybookRow } from './createRuns.ts'
import { fillDefaults } from './fillParameters.ts'
import { SELECTORS, targetFault } from './fitRun.ts'
import { toScope } from './readScope.ts'
import {
  IdSchema,
  type PlaybookRoutesDeps,
  refuse,
  requesterOf,
  requireRow,
  requireTarget,
  ResourceSchema,
} from './requests.ts'

const ParameterListSchema = z.array(z.record(z.string(), z.unknown()))
const ListSchema = z.array(z.object({ id: z.string(), name: z.string(), parameters: ParameterListSchema.optional() }))

export function offerRoutes({ context, playbooks }: PlaybookRoutesDeps) {
  const { pool } = context
  const { runs, lookUp } = playbooks
  const schema = toPlaybookJsonSchema()

  const requirePlaybook = async (id: string): Promise<PlaybookRow> => {
    const playbook = await runs.findPlaybook(id)
    if (!playbook) throw refuse(404, 'not found', `playbook(id=${id}) not found`)
    return playbook
  }

  return {
    schema: defineBackendRoute({
      rule: PLAYBOOK_ROUTES.schema,
      response: 'own',
      handle: ({ reply }) => reply.send(schema),
    }),

    list: defineBackendRoute({
      rule: PLAYBOOK_ROUTES.list,
      query: ResourceSchema,
      response: ListSchema,
      handle: async ({ query }) => {
        const target = requireTarget(query, false)
        if (target === null) throw new Error('one of them is there')
        await requireRow(pool, target)
        const { rows } = await pool.query<PlaybookRow>(
          'select id, name, title, spec from playbooks where deleted_at is null order by title, name',
        )
        const { kind, id: targetId } = target
        const offered = rows.flatMap(({ id, name, spec }) => {
          const read = PlaybookSpecSchema.safeParse(spec)
          const selectors = read.data?.[SELECTORS[kind]] ?? []
          return selectors.length === 0 ? [] : [{ id, name, selectors, parameters: read.data?.parameters }]
        })
        const lists = offered.map(({ selectors }) => ofAnyAgent(selectors))
        const meant = await findMeant(pool, { kind: SELECTORS[kind], id: targetId }, lists)
        return offered
          .filter((_, index) => meant[index])
          .map(({ id, name, parameters }) => ({ id, name, ...(parameters && { parameters }) }))
      },
    }),

    events: defineBackendRoute({
      rule: PLAYBOOK_ROUTES.events,
      response: z.object({}),
      handle: () => ({}),
    }),

    params: defineBackendRoute({
      rule: PLAYBOOK_ROUTES.params,
      params: IdSchema,
      body: ResourceSchema.extend({ id: z.guid().optional() }),
      response: z.object({ params: ParameterListSchema.nullable() }),
      handle: async ({ params: { id }, body, caller }) => {
        const playbook = await requirePlaybook(id)
        const target = requireTarget(body, true)
        const row = await requireRow(pool, target)
        const spec = PlaybookSpecSchema.safeParse(playbook.spec)
        if (!spec.success) throw refuse(400, 'Playbook validation failed', spec.error.message)
        const misfit = target && (await targetFault(pool, { spec: spec.data, target, roles: caller.roles }))
        if (misfit !== null) throw refuse(400, 'Playbook validation failed', misfit)
        const scope = toScope({ target, row, playbook, user: requesterOf(caller), params: {} })
        try {
          for (const filter of spec.data.filters ?? []) {
            if (!(await isTrue(filter, scope, lookUp)))
              throw refuse(400, 'Playbook validation failed', `${filter} is false`)
          }
          const { parameters } = spec.data
          return { params: parameters ? await fillDefaults(parameters, scope, lookUp) : null }
        } catch (error) {
          if (error instanceof TemplateFault) throw refuse(400, 'Playbook validation failed', error.message)
          throw error
        }
      },
    }),
  }
}
