// Runs over HTTP: asked for, looked at, decided about.
import { PLAYBOOK_ROUTES } from '@watchroom/shared/access'
import { NIL_UUID } from '@watchroom/shared/kernel'
import { z } from 'zod'

import { defineBackendRoute } from '../server/backendPolicy.ts'
import { presentPeople } from '../server/forwarded.ts'
import type { Principal } from '../server/principal.ts'
import {
  IdSchema,
  MessageSchema,
  type PlaybookRoutesDeps,
  refuse,
  requesterOf,
  requireDone,
  requirePerson,
  requireTarget,
  ResourceSchema,
} from './requests.ts'

const RunBodySchema = ResourceSchema.extend({
  id: z.guid('playbook id is required'),
  params: z.record(z.string(), z.string()).nullish(),
  agent_id: z.guid().nullish(),
})
const NOT_ON_AGENT = 'agent_id: no run as a whole is given to an agent; runsOn of a playbook or a step names one'
const RunIdSchema = z.object({ runId: z.guid() })
const ActionIdSchema = z.object({ actionId: z.guid() })
const StartedSchema = z.object({ run_id: z.string(), starts_at: z.string() })
const RunRowSchema = z.record(z.string(), z.unknown())

export function runRoutes({ context, playbooks }: PlaybookRoutesDeps) {
  const { pool } = context
  const { runs, decisions } = playbooks

  const approve = async (runId: string, caller: Principal) => {
    requireDone(await decisions.approve(runId, requirePerson(caller)))
    return { message: 'playbook run approved' }
  }

  return {
    run: defineBackendRoute({
      rule: PLAYBOOK_ROUTES.run,
      body: RunBodySchema,
      response: StartedSchema,
      status: 201,
      handle: async ({ body, caller }) => {
        // Done here, it would be done on another machine than the one that was asked for.
        if ((body.agent_id ?? NIL_UUID) !== NIL_UUID) throw refuse(400, NOT_ON_AGENT)
        const playbook = await runs.findPlaybook(body.id)
        if (!playbook) throw refuse(404, `playbook '${body.id}' not found`)
        const target = requireTarget(body, true)
        const { roles } = caller
        const asked = await runs.ask({ playbook, target, params: body.params ?? {}, by: requesterOf(caller), roles })
        if (!asked.ok) throw refuse(asked.error.status, asked.error.error)
        if (asked.value === null) throw new Error('only the run of a moment may be there already')
        return asked.value
      },
    }),

    readRun: defineBackendRoute({
      rule: PLAYBOOK_ROUTES.readRun,
      params: IdSchema,
      response: RunRowSchema,
      handle: async ({ params: { id } }) => {
        const { rows } = await pool.query<{ row: Record<string, unknown> }>(
          'select jsonb_strip_nulls(to_jsonb(playbook_runs)) as row from playbook_runs where id = $1',
          [id],
        )
        if (!rows[0]) throw refuse(404, `playbook run(id=${id}) not found`)
        return rows[0].row
      },
    }),

    approve: defineBackendRoute({
      rule: PLAYBOOK_ROUTES.approve,
      params: RunIdSchema.extend({ playbookId: z.guid() }),
      response: MessageSchema,
      handle: ({ params: { runId }, caller }) => approve(runId, caller),
    }),
    approveRun: defineBackendRoute({
      rule: PLAYBOOK_ROUTES.approveRun,
      params: RunIdSchema,
      response: MessageSchema,
      handle: ({ params: { runId }, caller }) => approve(runId, caller),
    }),

    cancel: defineBackendRoute({
      rule: PLAYBOOK_ROUTES.cancel,
      params: RunIdSchema,
      response: MessageSchema,
      handle: async ({ params: { runId } }) => {
        requireDone(await decisions.cancel(runId))
        return { message: 'playbook run cancelled' }
      },
    }),
    retry: defineBackendRoute({
      rule: PLAYBOOK_ROUTES.retry,
      params: RunIdSchema,
      response: MessageSchema,
      handle: async ({ params: { runId } }) => {
        requireDone(await decisions.retry(runId))
        return { message: 'playbook run scheduled' }
      },
    }),
    confirm: defineBackendRoute({
      rule: PLAYBOOK_ROUTES.confirm,
      params: ActionIdSchema,
      response: MessageSchema,
      handle: async ({ params: { actionId }, caller, request }) => {
        requireDone(await decisions.confirm(actionId, requirePerson(caller), presentPeople(request)))
        return { message: 'step confirmed' }
      },
    }),
  }
}
