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
import type { NewFlowLimit } from '../createNewFlowLimit.ts'
import { flowExpired, FlowNotOffered, IdentityRefusal, movedTo, REFUSALS } from '../identityErrors.ts'
import { ensureCsrfCookie, type Flavour, toOwnPath, wantsJson } from '../requests.ts'
import { isSameSecret } from '../secrets.ts'
import { csrfTokenOf, type FlowStore } from './createFlowStore.ts'
import { csrfNode, type Flow, FlowStateSchema, NOT_OFFERED, toWire } from './flow.ts'
import type { AnswerStep, FlowAnswer, FlowDefinition, FlowStart, StartCall } from './flowDefinition.ts'
import { MESSAGES } from './messages.ts'

export const MAX_BODY_BYTES = 16_384

const text = z.string().catch('')
const StartQuerySchema = z.object({
  return_to: z.string().optional().catch(undefined),
  refresh: text,
  aal: text,
  invitation: text,
})
/** The answer to an incomplete form names the missing fields. */
const BodySchema = z.preprocess((body) => body ?? {}, z.looseObject({ csrf_token: text }))

interface Deps {
  readonly store: FlowStore
  readonly newFlows: NewFlowLimit
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
  /** @throws IdentityRefusal when its address has begun too many */
  create(call: Call, flavour: Flavour, returnTo: string | null, start: FlowStart): Promise<Flow>
}

export function createFlowMaker({ type, lifetimeMs }: FlowDefinition, { store, newFlows, publicUrl }: Deps): FlowMaker {
  return {
    create: async ({ request, reply }, flavour, returnTo, { state = {}, identityId = null }) => {
      newFlows.take(request, reply)
      return store.create({
        type,
        kind: flavour,
        lifetimeMs,
        csrfCookie: flavour === 'browser' ? ensureCsrfCookie(request, reply) : '',
        returnTo,
        identityId,
        state: FlowStateSchema.parse({ requestUrl: publicUrl + redactUrl(request.raw.url ?? ''), ...state }),
      })
    },
  }
}

export function registerFlow(app: FastifyInstance, definition: FlowDefinition, deps: Deps): void {
  const { store, clock, policy } = deps
  const { type, page } = definition
  const maker = createFlowMaker(definition, deps)
  const rules = FLOW_ROUTES[type]

  const show = async (flow: Flow, request: FastifyRequest) =>
    toWire(flow, flow.state.step === NOT_OFFERED ? { nodes: [csrfNode(flow)] } : await definition.toForm(flow, request))

  const begin = async (call: StartCall, isPage: boolean): Promise<FlowStart> => {
    try {
      return await definition.start(call)
    } catch (error) {
      // Browsers log what is refused as a fault of the page, which has to ask to find out: it gets a form that says why it is empty.
      if (!(error instanceof FlowNotOffered) || call.flavour !== 'browser' || isPage) throw error
      return { state: { step: NOT_OFFERED, messages: [MESSAGES.notOffered(error.message)] } }
    }
  }

  const start = async (call: Call & { readonly query: z.output<typeof StartQuerySchema> }, flavour: Flavour) => {
    const { request, reply, query } = call
    const returnTo = toOwnPath(request, query.return_to)
    const isPage = flavour === 'browser' && !wantsJson(request)
    // Also when it is refused: the next form is in the same browser.
    if (flavour === 'browser') ensureCsrfCookie(request, reply)
    const started = await begin({ request, reply, flavour, returnTo, query }, isPage)
    const flow = await maker.create(call, flavour, returnTo, started)
    return isPage ? reply.redirect(`${page}?flow=${flow.id}`, 303) : show(flow, request)
  }

  const isOfBrowser = (flow: Flow, request: FastifyRequest): boolean =>
    flow.kind === 'api' || csrfTokenOf(flow.id, readCookie(request, CSRF_COOKIE)) === flow.csrfToken

  /** Asks anew whether it may begin: what was true of the expired one may have ended meanwhile. */
  const renew = async (call: Call, flow: Flow): Promise<Flow> => {
    const { kind, returnTo, state } = flow
    // What one browser brought is not handed to another.
    const invitation = isOfBrowser(flow, call.request) ? definition.invitationOf?.(flow) : null
    const query = { refresh: String(state.refresh), aal: state.requestedAal, invitation: invitation ?? '' }
    const started = await definition.start({ ...call, flavour: kind, returnTo, query })
    return maker.create(call, kind, returnTo, { ...started, state: { ...started.state, requestUrl: state.requestUrl } })
  }

  /** @throws IdentityRefusal when there is no such flow, it has expired, or it belongs to someone else */
  const requireFlow = async ({ request, reply }: Call, id: string): Promise<Flow> => {
    const flow = await store.find(type, id)
    if (!flow) throw new IdentityRefusal(REFUSALS.flowNotFound)
    if (flow.expiresAt.getTime() <= clock.now()) {
      const next = await renew({ request, reply }, flow)
      throw flowExpired(flow.expiresAt, clock.now(), next.id, page)
    }
    if (!isOfBrowser(flow, request)) throw new IdentityRefusal(REFUSALS.csrfViolation)
    await definition.admit?.(request, flow)
    return flow
  }

  /** @throws IdentityRefusal as above; someone who has just confirmed who they are finds the form they were at */
  const requireShown = async (call: Call, id: string): Promise<Flow> => {
    const flow = await store.find(type, id)
    const isCurrent = flow !== null && flow.expiresAt.getTime() > clock.now()
    if (!isCurrent || !definition.admit || isOfBrowser(flow, call.request)) return requireFlow(call, id)
    await definition.admit(call.request, flow)
    return store.moveTo(flow, ensureCsrfCookie(call.request, call.reply))
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
      handle: async (call) => show(await requireShown(call, call.query.id), call.request),
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
