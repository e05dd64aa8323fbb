// The four routes of a kind of flow, in both flavours.
import { FLOW_ROUTES } from '@watchroom/shared/access'
import { FlowSchema, SignedInSchema } from '@watchroom/shared/identity'
import { type Clock, sleep } from '@watchroom/shared/kernel'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'

import { registerRoutes, type RoutePolicy, type RouteTable } from '../../../platform/http/defineRoute.ts'
import { redactUrl } from '../../../platform/logger.ts'
import { defineBackendRoute } from '../../server/backendPolicy.ts'
import type { Principal } from '../../server/principal.ts'
import { CSRF_COOKIE, readCookie } from '../cookies.ts'
import { flowExpired, IdentityRefusal, movedTo, REFUSALS } from '../identityErrors.ts'
import { ensureCsrfCookie, type Flavour, toOwnPath, wantsJson } from '../requests.ts'
import { isSameSecret } from '../secrets.ts'
import { csrfTokenOf, type FlowStore } from './createFlowStore.ts'
import { type Flow, FlowStateSchema, toWire } from './flow.ts'
import type { AnswerStep, FlowAnswer, FlowDefinition, FlowStart } from './flowDefinition.ts'

export const MAX_BODY_BYTES = 16_384

const text = z.string().catch('')
const StartQuerySchema = z.object({
  return_to: z.string().optional().catch(undefined),
  refresh: text,
  aal: text,
  invitation: text,
})
/** A form without a field is told which are missing. */
const BodySchema = z.preprocess((body) => body ?? {}, z.looseObject({ csrf_token: text }))

interface Deps {
  readonly store: FlowStore
  readonly clock: Clock
  readonly publicUrl: string
  readonly policy: RoutePolicy<Principal>
}

interface Call {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
}

/** Makes flows of one kind for whoever asks, also for other flows. */
export interface FlowMaker {
  create(call: Call, flavour: Flavour, returnTo: string | null, start: FlowStart): Promise<Flow>
}

export function createFlowMaker({ type, lifetimeMs }: FlowDefinition, { store, publicUrl }: Deps): FlowMaker {
  return {
    create: ({ request, reply }, flavour, returnTo, { state = {}, identityId = null }) =>
      store.create({
        type,
        kind: flavour,
        lifetimeMs,
        csrfCookie: flavour === 'browser' ? ensureCsrfCookie(request, reply) : '',
        returnTo,
        identityId,
        state: FlowStateSchema.parse({ requestUrl: publicUrl + redactUrl(request.raw.url ?? ''), ...state }),
      }),
  }
}

export function registerFlow(app: FastifyInstance, definition: FlowDefinition, deps: Deps): void {
  const { store, clock, policy } = deps
  const { type, page } = definition
  const maker = createFlowMaker(definition, deps)
  const rules = FLOW_ROUTES[type]

  const show = async (flow: Flow, request: FastifyRequest) => toWire(flow, await definition.toForm(flow, request))

  const start = async (call: Call & { readonly query: z.output<typeof StartQuerySchema> }, flavour: Flavour) => {
    const { request, reply, query } = call
    const returnTo = toOwnPath(request, query.return_to)
    const isPage = flavour === 'browser' && !wantsJson(request)
    // Also for whoever is refused: the next form is in the same browser.
    if (flavour === 'browser') ensureCsrfCookie(request, reply)
    const started = await definition.start({ request, reply, flavour, returnTo, query })
    const flow = await maker.create(call, flavour, returnTo, started)
    return isPage ? reply.redirect(`${page}?flow=${flow.id}`, 303) : show(flow, request)
  }

  /** @throws IdentityRefusal when there is no such flow, it has expired, or it belongs to someone else */
  const requireFlow = async ({ request, reply }: Call, id: string): Promise<Flow> => {
    const flow = await store.find(type, id)
    if (!flow) throw new IdentityRefusal(REFUSALS.flowNotFound)
    if (flow.expiresAt.getTime() <= clock.now()) {
      const { requestUrl, refresh, requestedAal, active } = flow.state
      const next = await maker.create({ request, reply }, flow.kind, flow.returnTo, {
        ...(flow.identityId === null || type !== 'settings' ? {} : { identityId: flow.identityId }),
        state: { requestUrl, refresh, requestedAal, active },
      })
      throw flowExpired(flow.expiresAt, clock.now(), next.id, page)
    }
    if (flow.kind === 'browser' && csrfTokenOf(flow.id, readCookie(request, CSRF_COOKIE)) !== flow.csrfToken) {
      throw new IdentityRefusal(REFUSALS.csrfViolation)
    }
    await definition.admit?.(request, flow)
    return flow
  }

  const untilEndOf = ({ startedAt, ms }: AnswerStep): Promise<void> =>
    sleep(clock, ms - ((clock.monotonic() - startedAt) % ms))

  const answer = async (given: FlowAnswer, flow: Flow, { request, reply }: Call) => {
    const isForm = flow.kind === 'browser' && !wantsJson(request)
    switch (given.kind) {
      case 'form': {
        const updated = await store.update(flow, given.changes)
        if (given.step) await untilEndOf(given.step)
        if (given.retryAfterMs !== undefined) reply.header('retry-after', Math.ceil(given.retryAfterMs / 1_000))
        if (isForm) return reply.redirect(`${page}?flow=${flow.id}`, 303)
        void reply.code(given.status)
        return show(updated, request)
      }
      case 'moved':
        if (isForm) return reply.redirect(given.to, 303)
        throw movedTo(given.to)
      case 'signed-in':
        if (flow.kind === 'api') return { session_token: given.token, session: given.session }
        return isForm ? reply.redirect(flow.returnTo ?? '/', 303) : { session: given.session }
    }
  }

  const routes = {
    startBrowser: defineBackendRoute({
      rule: rules.startBrowser,
      query: StartQuerySchema,
      response: FlowSchema,
      handle: (call) => start(call, 'browser'),
    }),
    startApi: defineBackendRoute({
      rule: rules.startApi,
      query: StartQuerySchema,
      response: FlowSchema,
      handle: (call) => start(call, 'api'),
    }),
    read: defineBackendRoute({
      rule: rules.read,
      query: z.object({ id: text }),
      response: FlowSchema,
      handle: async (call) => show(await requireFlow(call, call.query.id), call.request),
    }),
    submit: defineBackendRoute({
      rule: rules.submit,
      query: z.object({ flow: text }),
      body: BodySchema,
      maxBodyBytes: MAX_BODY_BYTES,
      response: z.union([SignedInSchema, FlowSchema]),
      handle: async (call) => {
        const flow = await requireFlow(call, call.query.flow)
        if (flow.kind === 'browser' && !isSameSecret(call.body.csrf_token, flow.csrfToken)) {
          throw new IdentityRefusal(REFUSALS.csrfViolation)
        }
        return answer(await definition.submit({ ...call, flow, body: call.body }), flow, call)
      },
    }),
  } satisfies RouteTable<(typeof FLOW_ROUTES)[typeof type], Principal>
  registerRoutes(app, routes, policy)
}
