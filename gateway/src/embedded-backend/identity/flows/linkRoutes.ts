// Links that people open from a mail or a terminal: each works once, and leads a browser to a page.
import { IDENTITY_ROUTES } from '@watchroom/shared/access'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'

import type { Seal } from '../../../platform/createSeal.ts'
import { defineBackendRoute } from '../../server/backendPolicy.ts'
import { IdentityRefusal, REFUSALS } from '../identityErrors.ts'
import type { SignInLinks } from '../methods/createSignInLinks.ts'
import type { SessionKeeper } from '../sessions/createSessionKeeper.ts'
import type { FlowStore } from './createFlowStore.ts'
import type { FlowDefinition } from './flowDefinition.ts'
import type { MailedFlow } from './mailedFlow.ts'
import { type FlowMessage, MESSAGES } from './messages.ts'
import type { FlowMaker } from './registerFlow.ts'
import { newSettings, SETTINGS_PAGE } from './settings.ts'
import { createShowNew } from './showNew.ts'

const text = z.string().catch('')
const LinkQuerySchema = z.object({ token: text, flow: text })

interface Deps {
  readonly now: () => number
  readonly store: FlowStore
  readonly links: SignInLinks
  readonly keeper: SessionKeeper
  readonly seal: Seal
  readonly makerOf: (definition: FlowDefinition) => FlowMaker
  readonly login: FlowDefinition
  readonly settings: FlowDefinition
  readonly recovery: MailedFlow
  readonly verification: MailedFlow
}

interface LinkCall {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly query: z.output<typeof LinkQuerySchema>
}

export function createLinkRoutes(deps: Deps) {
  const { store, links, keeper, seal, makerOf } = deps

  const show = createShowNew(deps)

  const redeem = async (call: LinkCall, definition: MailedFlow, wrong: FlowMessage) => {
    const { request, reply, query } = call
    const flow = await store.find(definition.type, query.flow)
    const isCurrent = flow !== null && flow.expiresAt.getTime() > deps.now()
    const answer = isCurrent ? await definition.redeem({ request, reply }, flow, query.token) : null
    if (!answer || !flow) return show(call, definition, wrong)
    if (answer.kind === 'moved') return reply.redirect(answer.to, 303)
    await store.complete(flow)
    return show(call, definition, MESSAGES.verified)
  }

  /** Of a start, or of an invitation: signs in who has it, once. */
  const signIn = async (call: LinkCall) => {
    const { request, reply, query } = call
    const person = await links.redeemSignInLink(query.token)
    if (!person) return show(call, deps.login, MESSAGES.wrongSignInLink)
    await keeper.open(request, reply, 'browser', {
      identity: person,
      proof: { method: 'link_recovery', aal: 'aal1' },
    })
    if (person.hasPassword) return reply.redirect('/', 303)
    // The link works once: without a password they would not come in again.
    const next = await makerOf(deps.settings).create(
      { request, reply },
      'browser',
      '/',
      newSettings(seal, person, [MESSAGES.choosePassword]),
    )
    return reply.redirect(`${SETTINGS_PAGE}?flow=${next.id}`, 303)
  }

  const open = (call: LinkCall, redeemed: () => Promise<FastifyReply>): Promise<FastifyReply> | FastifyReply => {
    void call.reply.header('cache-control', 'no-store').header('referrer-policy', 'no-referrer')
    if (call.query.token === '') throw new IdentityRefusal(REFUSALS.linkDisabled)
    // Whoever looks whether the link leads anywhere must not use it up.
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
