// Links that people open from a mail or a terminal: each works once, and leads a browser to a page.
import { IDENTITY_ROUTES } from '@watchroom/shared/access'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'

import { defineBackendRoute } from '../../server/backendPolicy.ts'
import { IdentityRefusal, REFUSALS } from '../identityErrors.ts'
import type { SignInLinks } from '../methods/createSignInLinks.ts'
import type { SessionKeeper } from '../sessions/createSessionKeeper.ts'
import { isComplete } from '../sessions/createSessions.ts'
import type { FlowStore } from './createFlowStore.ts'
import type { RegistrationMode } from './createNewcomers.ts'
import type { FlowDefinition } from './flowDefinition.ts'
import type { MailedFlow } from './mailedFlow.ts'
import { type FlowMessage, MESSAGES } from './messages.ts'
import type { NextStep } from './nextStep.ts'
import type { FlowMaker } from './registerFlow.ts'
import { createShowNew } from './showNew.ts'

const text = z.string().catch('')
const LinkQuerySchema = z.object({
  token: text,
  flow: text,
  /** The link goes through other hands, and asks before it is used. */
  confirm: text,
})

interface Deps {
  readonly now: () => number
  readonly store: FlowStore
  readonly links: SignInLinks
  readonly keeper: SessionKeeper
  readonly makerOf: (definition: FlowDefinition) => FlowMaker
  readonly login: FlowDefinition
  readonly registration: FlowDefinition
  readonly readMode: () => Promise<RegistrationMode>
  readonly nextStep: NextStep
  readonly recovery: MailedFlow
  readonly verification: MailedFlow
}

interface LinkCall {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly query: z.output<typeof LinkQuerySchema>
}

export function createLinkRoutes(deps: Deps) {
  const { store, links, keeper, login, registration, readMode, nextStep } = deps

  const show = createShowNew(deps)

  const redeem = async (call: LinkCall, definition: MailedFlow, wrong: FlowMessage) => {
    const { request, reply, query } = call
    const flow = await store.find(definition.type, query.flow)
    const isCurrent = flow !== null && flow.expiresAt.getTime() > deps.now()
    const answer = isCurrent ? await definition.redeem({ request, reply }, flow, query.token) : null
    const returnTo = flow?.returnTo ?? null
    if (!answer || !flow) return show(call, definition, { message: wrong, returnTo })
    if (answer.kind === 'moved') return reply.redirect(answer.to, 303)
    await store.complete(flow)
    return show(call, definition, { message: MESSAGES.verified, returnTo })
  }

  /** Where people make their accounts they choose name and password, or a provider, at once; else they are let in first. */
  const formFor = async (request: FastifyRequest): Promise<FlowDefinition> => {
    if ((await readMode()) === 'off') return login
    const session = await keeper.find(request, 'browser')
    return session && isComplete(session) ? login : registration
  }

  /** Of a start, or of an invitation: signs in who has it, once. */
  const signIn = async (call: LinkCall) => {
    const { request, reply, query } = call
    // Mail servers and chats look at what a link leads to: that must neither use it up nor open a session for them.
    if (query.confirm === 'true' && (await links.findInvited(query.token))) {
      return show(call, await formFor(request), { invitation: query.token })
    }
    const person = await links.redeemSignInLink(query.token)
    if (!person) return show(call, login, { message: MESSAGES.wrongSignInLink })
    await keeper.open(request, reply, 'browser', {
      identity: person,
      proof: { method: 'link_recovery', aal: 'aal1' },
    })
    return reply.redirect(await nextStep({ request, reply }, person), 303)
  }

  const open = (call: LinkCall, redeemed: () => Promise<FastifyReply>): Promise<FastifyReply> | FastifyReply => {
    void call.reply.header('cache-control', 'no-store').header('referrer-policy', 'no-referrer')
    if (call.query.token === '') throw new IdentityRefusal(REFUSALS.linkDisabled)
    // A program that only checks whether the link leads anywhere must not use it up.
    return call.request.method === 'HEAD' ? call.reply.code(204).send() : redeemed()
  }

  return {
    useRecoveryLink: defineBackendRoute({
      rule: IDENTITY_ROUTES.useRecoveryLink,
      query: LinkQuerySchema,
      response: 'own',
      handle: (call) =>
        open(call, () =>
          call.query.flow === '' ? signIn(call) : redeem(call, deps.recovery, MESSAGES.wrongRecoveryLink),
        ),
    }),
    useVerificationLink: defineBackendRoute({
      rule: IDENTITY_ROUTES.useVerificationLink,
      query: LinkQuerySchema,
      response: 'own',
      handle: (call) => open(call, () => redeem(call, deps.verification, MESSAGES.wrongVerificationLink)),
    }),
  }
}
