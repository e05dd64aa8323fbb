// Signing in: the first proof, the second one, or another to confirm something.
import { type Clock, type RateLimitPolicy } from '@watchroom/shared/kernel'

import type { Seal } from '../../../platform/createSeal.ts'
import { forwardedBlock } from '../../server/forwarded.ts'
import { createAttemptLimiter } from '../createAttemptLimiter.ts'
import type { Identity } from '../identity.ts'
import { aal2Required, IdentityRefusal, REFUSALS } from '../identityErrors.ts'
import type { ProviderAccounts } from '../methods/createProviderAccounts.ts'
import type { SignInLinks } from '../methods/createSignInLinks.ts'
import { type LoginMethod, type LoginProof, methodOf } from '../methods/loginMethod.ts'
import { tooOften } from '../methods/password.ts'
import type { People } from '../people/createPeople.ts'
import { newToken } from '../secrets.ts'
import type { SessionKeeper } from '../sessions/createSessionKeeper.ts'
import { isComplete } from '../sessions/createSessions.ts'
import { toSession } from '../sessions/toSession.ts'
import type { FlowStore } from './createFlowStore.ts'
import type { RegistrationMode } from './createNewcomers.ts'
import { csrfNode, type Flow } from './flow.ts'
import { again, type FlowAnswer, type ReturnableFlow, type ReturnCall, type SubmitCall } from './flowDefinition.ts'
import { openInvitation } from './flowInvitation.ts'
import { MESSAGES } from './messages.ts'
import type { NextStep } from './nextStep.ts'
import { anchor, type FlowNode, LABELS, submit } from './nodes.ts'
import { REGISTRATION_PAGE } from './registration.ts'

/** Backend reference 3.2. */
const LIFETIME_MS = 10 * 60_000

/** Nine in ten guessers of six digits have not found them after a year of this. */
const SECOND_FACTORS: RateLimitPolicy = { burst: 5, perSecond: 1 / 900 }

/** Group of the button of an invitation. */
const LINK = 'link'

interface Deps {
  readonly clock: Clock
  readonly store: FlowStore
  readonly keeper: SessionKeeper
  readonly people: People
  readonly methods: readonly LoginMethod[]
  readonly accounts: ProviderAccounts
  readonly links: SignInLinks
  readonly seal: Seal
  readonly nextStep: NextStep
  readonly readMode: () => Promise<RegistrationMode>
  /** Registers someone whom nobody knows yet. @returns null where people make no accounts for themselves */
  readonly signUp: (call: ReturnCall) => Promise<FlowAnswer | null>
}

export function createLogin(deps: Deps): ReturnableFlow {
  const { clock, store, keeper, people, methods, accounts, links, seal, nextStep, readMode, signUp } = deps
  const limiter = createAttemptLimiter(clock, SECOND_FACTORS)
  const offered = (flow: Flow): LoginMethod[] => methods.filter(({ aal }) => aal === flow.state.requestedAal)

  /** Who has to prove that it is them; null at a first sign-in. */
  const ownerOf = async ({ identityId }: Flow): Promise<Identity | null> =>
    identityId === null ? null : people.findById(identityId)

  /** Six digits are soon guessed. */
  const proveSlowly = async (method: LoginMethod, call: SubmitCall, owner: Identity | null): Promise<LoginProof> => {
    const address = forwardedBlock(call.request)
    const attempt = limiter.begin({ identifier: owner?.id ?? '', address, origin: address, isKnown: false })
    if (!attempt.ok) return { ok: false, answer: tooOften(attempt.waitMs) }
    const proof = await method.prove(call, owner)
    attempt.settle(proof.ok ? 'right' : 'wrong')
    return proof
  }

  /** @throws IdentityRefusal when someone else, or nobody, is signed in where one person has to prove that it is them */
  const requireOwner = async ({ request, flow }: Pick<SubmitCall, 'request' | 'flow'>): Promise<Identity | null> => {
    if (flow.identityId === null) return null
    const session = await keeper.find(request, flow.kind)
    if (!session) throw new IdentityRefusal(REFUSALS.sessionInactive, {}, '/login')
    if (session.identity.id !== flow.identityId) throw new IdentityRefusal(REFUSALS.identityMismatch, {}, '/login')
    return ownerOf(flow)
  }

  const open = async (
    { request, reply, flow }: Omit<SubmitCall, 'body'>,
    identity: Identity,
    { name, aal }: Pick<LoginMethod, 'name' | 'aal'>,
  ): Promise<FlowAnswer> => {
    if (!(await store.complete(flow))) throw new IdentityRefusal(REFUSALS.flowNotFound)
    const { session, token } = await keeper.open(request, reply, flow.kind, { identity, proof: { method: name, aal } })
    if (flow.kind === 'browser' && !isComplete(session)) {
      return { kind: 'moved', to: aal2Required(flow.returnTo).goesOn ?? '/login' }
    }
    return { kind: 'signed-in', session: toSession(session), token }
  }

  const invitationOf = (flow: Flow): string | null => openInvitation(seal, flow)

  /** Whoever opened an invitation said that they want to come in. */
  const acceptInvited = async (call: SubmitCall, invitation: string): Promise<FlowAnswer> => {
    const { request, reply, flow } = call
    const identity = await links.redeemSignInLink(invitation)
    if (!identity) return again({ messages: [MESSAGES.wrongSignInLink], sealed: {} })
    if (!(await store.complete(flow))) throw new IdentityRefusal(REFUSALS.flowNotFound)
    const proof = { method: 'link_recovery', aal: 'aal1' } as const
    const { session, token } = await keeper.open(request, reply, flow.kind, { identity, proof })
    if (flow.kind === 'api') return { kind: 'signed-in', session: toSession(session), token }
    return { kind: 'moved', to: await nextStep(call, identity) }
  }

  /** Where everyone may make an account, people without one are told so. */
  const registrationNodes = async ({ identityId, returnTo, state }: Flow): Promise<FlowNode[]> => {
    const isFirst = identityId === null && !state.refresh && state.requestedAal === 'aal1'
    if (!isFirst || (await readMode()) !== 'open') return []
    const goal = returnTo === null ? '' : `?${new URLSearchParams({ return_to: returnTo }).toString()}`
    return [anchor('default', 'create_account', `${REGISTRATION_PAGE}${goal}`, MESSAGES.createAccount)]
  }

  return {
    type: 'login',
    page: '/login',
    lifetimeMs: LIFETIME_MS,

    invitationOf,

    start: async ({ request, flavour, returnTo, query }) => {
      const { invitation } = query
      if (invitation !== '') {
        if (!(await links.findInvited(invitation))) throw new IdentityRefusal(REFUSALS.invitationInvalid)
        return { state: { challenge: newToken(), sealed: { invitation: seal.seal(invitation) } } }
      }
      const session = await keeper.find(request, flavour)
      const isSecond = query.aal === 'aal2'
      if (isSecond && !session) throw new IdentityRefusal(REFUSALS.sessionInactive, {}, '/login')
      const isDone = session !== null && (isSecond ? session.aal === 'aal2' : isComplete(session))
      if (isDone && query.refresh !== 'true') {
        throw new IdentityRefusal(REFUSALS.loginWhileSignedIn, {}, returnTo ?? '/')
      }
      const refresh = query.refresh === 'true' && session !== null
      return {
        ...(session && (refresh || isSecond) ? { identityId: session.identity.id } : {}),
        state: { refresh, requestedAal: isSecond ? 'aal2' : 'aal1', challenge: newToken() },
      }
    },

    toForm: async (flow, request) => {
      const invitation = invitationOf(flow)
      const invited = invitation === null ? null : await links.findInvited(invitation)
      if (invited) {
        return {
          nodes: [csrfNode(flow), submit(LINK, LABELS.proceed)],
          messages: [MESSAGES.invited(invited.email)],
        }
      }
      const owner = await ownerOf(flow)
      const forms = await Promise.all(
        offered(flow).map(async (method) => ({ method, nodes: await method.nodes(flow, owner, request) })),
      )
      // People without a password are not asked for one, as long as there is another way.
      const others = forms.filter(({ method }) => method.name !== 'password').flatMap(({ nodes }) => nodes)
      const isPasswordless = owner?.hasPassword === false && others.length > 0
      return {
        nodes: [
          csrfNode(flow),
          ...(isPasswordless ? others : forms.flatMap(({ nodes }) => nodes)),
          ...(await registrationNodes(flow)),
        ],
        messages: [
          ...(flow.state.refresh ? [MESSAGES.confirm] : []),
          ...(flow.state.requestedAal === 'aal2' ? [MESSAGES.secondFactor] : []),
        ],
      }
    },

    submit: async (call) => {
      const invitation = invitationOf(call.flow)
      if (invitation !== null && call.body['method'] === LINK) return acceptInvited(call, invitation)
      const owner = await requireOwner(call)
      const method = methodOf(call.body, offered(call.flow))
      if (!method) return again({ messages: [MESSAGES.unknownMethod] })
      const proof = method.isGuessable ? await proveSlowly(method, call, owner) : await method.prove(call, owner)
      return proof.ok ? open(call, proof.identity, method) : proof.answer
    },

    accept: async (call) => {
      const owner = await requireOwner(call)
      const { label } = call.visitor.provider
      const identity = await accounts.ownerOf(call.visitor)
      if (owner && owner.id !== identity?.id) return again({ messages: [MESSAGES.otherPerson(label)] })
      if (!identity) return (await signUp(call)) ?? again({ messages: [MESSAGES.notLinked(label)] })
      if (identity.state !== 'active') return again({ messages: [MESSAGES.inactive] })
      return open(call, identity, { name: 'oidc', aal: 'aal1' })
    },
  }
}
