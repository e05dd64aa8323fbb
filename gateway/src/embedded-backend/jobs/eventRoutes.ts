// What people do about events that could not be handled. The queue itself is written by nobody but its consumer.
import { EVENT_ROUTES } from '@watchroom/shared/access'
import { EventIdsSchema, EventsChangedSchema } from '@watchroom/shared/settings'
import type { FastifyInstance } from 'fastify'

import { registerRoutes, type RouteTable } from '../../platform/http/defineRoute.ts'
import { BACKEND_POLICY, defineBackendRoute } from '../server/backendPolicy.ts'
import type { BackendContext } from '../server/context.ts'
import type { Principal } from '../server/principal.ts'

/** The reason of the last failure stays until the event is handled. */
const RETRY = `
with again as (
  update event_queue set attempts = 0, last_attempt = null
  where id = any($1) and error is not null returning name)
select name, pg_notify('event_queue_updates', name) from again`

const DROP = 'delete from event_queue where id = any($1) and error is not null returning name'

export async function eventRoutes(app: FastifyInstance, { context }: { context: BackendContext }): Promise<void> {
  /** @returns how many events it concerned: others were handled or raised anew meanwhile */
  async function change(sql: string, ids: readonly string[], what: string, caller: Principal) {
    const { rows } = await context.pool.query<{ name: string }>(sql, [ids])
    const events = [...new Set(rows.map(({ name }) => name))]
    context.logger.info({ events, count: rows.length, personId: caller.id }, what)
    return { count: rows.length }
  }
  const routes = {
    retry: defineBackendRoute({
      rule: EVENT_ROUTES.retry,
      body: EventIdsSchema,
      response: EventsChangedSchema,
      handle: ({ body, caller }) => change(RETRY, body.ids, 'failed events are tried again', caller),
    }),
    drop: defineBackendRoute({
      rule: EVENT_ROUTES.drop,
      body: EventIdsSchema,
      response: EventsChangedSchema,
      handle: ({ body, caller }) => change(DROP, body.ids, 'failed events were dropped', caller),
    }),
  } satisfies RouteTable<typeof EVENT_ROUTES, Principal>
  registerRoutes(app, routes, BACKEND_POLICY)
}
