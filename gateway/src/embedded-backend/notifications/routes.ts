// Silences, what a rule would say, and sending again what did not arrive.
import { NOTIFICATION_ROUTES } from '@watchroom/shared/access'
import { NIL_UUID, type Result } from '@watchroom/shared/kernel'
import {
  ExplanationSchema,
  RehearsalDraftSchema,
  RehearsalSchema,
  RuleDraftSchema,
  RulePreviewSchema,
  SilencePreviewSchema,
  TransitionAskSchema,
  TransitionPageSchema,
} from '@watchroom/shared/notifications'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'

import { registerRoutes, type RouteTable } from '../../platform/http/defineRoute.ts'
import { Refusal } from '../../platform/http/refusal.ts'
import { BACKEND_POLICY, defineBackendRoute } from '../server/backendPolicy.ts'
import type { BackendContext } from '../server/context.ts'
import type { Principal } from '../server/principal.ts'
import type { Notifications } from './createNotifications.ts'
import { explainTransition, listTransitions } from './explain.ts'
import {
  exists,
  previewSilence,
  SilenceBodySchema,
  SilencePreviewBodySchema,
  toPeriod,
  toSilenced,
} from './silences.ts'

interface Deps {
  readonly context: BackendContext
  readonly notifications: Notifications
}

const IdSchema = z.object({ id: z.guid() })

export async function notificationRoutes(app: FastifyInstance, { context, notifications }: Deps): Promise<void> {
  const { pool, clock } = context
  const routes = {
    silence: defineBackendRoute({
      rule: NOTIFICATION_ROUTES.silence,
      body: SilenceBodySchema,
      status: 200,
      response: 'empty',
      handle: async ({ body, caller }) => {
        const about = orRefuse(toSilenced(body))
        const { from, until } = orRefuse(toPeriod(body, clock.now()))
        if (!(await exists(pool, about)))
          throw new Refusal(400, { error: `${about.kind}_id: there is no such ${about.kind}` })
        await pool.query(
          `insert into notification_silences
             (${about.kind}_id, "from", until, recursive, description, source, created_by)
           values ($1, $2, $3, $4, $5, 'UI', $6)`,
          [
            about.id,
            from,
            until,
            body.recursive ?? false,
            body.description ?? null,
            caller.id === NIL_UUID ? null : caller.id,
          ],
        )
      },
    }),

    previewSilence: defineBackendRoute({
      rule: NOTIFICATION_ROUTES.previewSilence,
      body: SilencePreviewBodySchema,
      response: SilencePreviewSchema,
      handle: ({ body }) => previewSilence(pool, orRefuse(toSilenced(body)), body.recursive ?? false),
    }),

    events: defineBackendRoute({
      rule: NOTIFICATION_ROUTES.events,
      response: z.object({}),
      handle: () => ({}),
    }),

    previewRule: defineBackendRoute({
      rule: NOTIFICATION_ROUTES.previewRule,
      body: RuleDraftSchema,
      response: RulePreviewSchema,
      handle: ({ body }) => notifications.preview(body),
    }),

    rehearse: defineBackendRoute({
      rule: NOTIFICATION_ROUTES.rehearse,
      body: RehearsalDraftSchema,
      response: RehearsalSchema,
      handle: ({ body }) => notifications.rehearse(body),
    }),

    transitions: defineBackendRoute({
      rule: NOTIFICATION_ROUTES.transitions,
      query: TransitionAskSchema,
      response: TransitionPageSchema,
      handle: ({ query }) => listTransitions(pool, query),
    }),

    explain: defineBackendRoute({
      rule: NOTIFICATION_ROUTES.explain,
      params: IdSchema,
      response: ExplanationSchema,
      handle: async ({ params }) => {
        const explanation = await explainTransition(pool, params.id)
        if (explanation === null) throw new Refusal(404, { error: 'nothing is known of that transition any more' })
        return explanation
      },
    }),

    resend: defineBackendRoute({
      rule: NOTIFICATION_ROUTES.resend,
      params: IdSchema,
      response: 'empty',
      handle: async ({ params }) => {
        if (!(await notifications.resend(params.id)))
          throw new Refusal(409, { error: 'it has no recipient, or is still being sent' })
      },
    }),
  } satisfies RouteTable<typeof NOTIFICATION_ROUTES, Principal>
  registerRoutes(app, routes, BACKEND_POLICY)
}

function orRefuse<Value>(result: Result<Value, string>): Value {
  if (!result.ok) throw new Refusal(400, { error: result.error })
  return result.value
}
