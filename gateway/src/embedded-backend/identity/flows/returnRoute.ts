// Where providers send people back to. The flow that sent them there is named by the state, belongs to the browser that comes, and waits
// for one return alone: whoever is led here with someone else's code is led to a new form.
import { IDENTITY_ROUTES } from '@watchroom/shared/access'
import type { Clock } from '@watchroom/shared/kernel'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'

import { defineBackendRoute } from '../../server/backendPolicy.ts'
import { CSRF_COOKIE, readCookie } from '../cookies.ts'
import { IdentityRefusal, REFUSALS } from '../identityErrors.ts'
import {
  ATTEMPT,
  type ProviderAccounts,
  ProviderAwayError,
  type ProviderName,
  readState,
} from '../methods/createProviderAccounts.ts'
import { callbackOf } from '../methods/oidc.ts'
import { csrfTokenOf, type FlowStore } from './createFlowStore.ts'
import type { Flow } from './flow.ts'
import { again, type FlowAnswer, type FlowDefinition, type ReturnableFlow } from './flowDefinition.ts'
import { MESSAGES } from './messages.ts'
import type { FlowMaker } from './registerFlow.ts'
import { createShowNew } from './showNew.ts'

interface Deps {
  readonly clock: Clock
  readonly store: FlowStore
  readonly accounts: ProviderAccounts
  readonly publicUrl: string
  readonly makerOf: (definition: FlowDefinition) => FlowMaker
  readonly login: ReturnableFlow
  readonly registration: ReturnableFlow
  readonly settings: ReturnableFlow
}

interface Call {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
}

export function createReturnRoute(deps: Deps) {
  const { clock, store, accounts, login, registration, settings } = deps
  const showNew = createShowNew(deps)

  /** @returns null when nobody left this browser for a provider, or is back already */
  const findWaiting = async ({ request }: Call, definition: ReturnableFlow, id: string): Promise<Flow | null> => {
    const flow = await store.find(definition.type, id)
    const isCurrent = flow !== null && flow.expiresAt.getTime() > clock.now()
    const isTheirs = isCurrent && csrfTokenOf(flow.id, readCookie(request, CSRF_COOKIE)) === flow.csrfToken
    return isTheirs && flow.kind === 'browser' && ATTEMPT in flow.state.sealed ? flow : null
  }

  const meet = async (
    call: Call,
    definition: ReturnableFlow,
    { flow, provider, sealed }: { readonly flow: Flow; readonly provider: ProviderName; readonly sealed: string },
  ): Promise<FlowAnswer> => {
    const { label } = provider
    const url = new URL(callbackOf(call.request, provider, deps.publicUrl))
    url.search = new URL(call.request.raw.url ?? '', url).search
    try {
      const visitor = await accounts.meet(provider, sealed, url)
      return visitor
        ? await definition.accept({ ...call, flow, visitor })
        : again({ messages: [MESSAGES.providerRefused(label)] })
    } catch (error) {
      if (!(error instanceof ProviderAwayError)) throw error
      return again({ messages: [MESSAGES.providerAway(label)] })
    }
  }

  const answer = async ({ reply }: Call, given: FlowAnswer, flow: Flow, { page }: ReturnableFlow) => {
    switch (given.kind) {
      case 'form':
        await store.update(flow, given.changes)
        return reply.redirect(`${page}?flow=${flow.id}`, 303)
      case 'moved':
        return reply.redirect(given.to, 303)
      case 'signed-in':
        return reply.redirect(flow.returnTo ?? '/', 303)
    }
  }

  return defineBackendRoute({
    rule: IDENTITY_ROUTES.returnFromProvider,
    params: z.object({ provider: z.string() }),
    query: z.object({ state: z.string().catch('') }),
    response: 'own',
    handle: async ({ request, reply, params, query }) => {
      const call = { request, reply }
      void reply.header('cache-control', 'no-store').header('referrer-policy', 'no-referrer')
      const provider = accounts.find(params.provider)
      if (!provider) throw new IdentityRefusal(REFUSALS.linkDisabled)
      // A program that only checks whether the address leads anywhere must not use it up.
      if (request.method === 'HEAD') return reply.code(204).send()
      const { type, id } = readState(query.state)
      const definition = [login, registration, settings].find((one) => one.type === type) ?? login
      const waiting = await findWaiting(call, definition, id)
      await (waiting && definition.admit?.(request, waiting))
      const sealed = waiting?.state.sealed[ATTEMPT]
      const flow = waiting && (await store.takeSealed(waiting, ATTEMPT))
      if (!flow || sealed === undefined) {
        return showNew(call, definition === settings ? settings : login, { message: MESSAGES.strayReturn })
      }
      return answer(call, await meet(call, definition, { flow, provider, sealed }), flow, definition)
    },
  })
}
