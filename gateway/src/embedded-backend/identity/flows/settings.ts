import type { Seal } from '../../../platform/createSeal.ts'
import type { Identity } from '../identity.ts'
// A person's own settings: each method has its section.
import { IdentityRefusal, REFUSALS, refreshRequired } from '../identityErrors.ts'
import type { ProviderAccounts } from '../methods/createProviderAccounts.ts'
import { methodOf } from '../methods/loginMethod.ts'
import type { SettingsMethod } from '../methods/settingsMethod.ts'
import { newTotpSecret } from '../methods/totp.ts'
import type { People } from '../people/createPeople.ts'
import { newToken } from '../secrets.ts'
import type { SessionKeeper } from '../sessions/createSessionKeeper.ts'
import type { ActiveSession, Sessions } from '../sessions/createSessions.ts'
import type { FlowStore } from './createFlowStore.ts'
import { csrfNode, type Flow } from './flow.ts'
import { again, type FlowAnswer, type FlowStart, type ReturnableFlow } from './flowDefinition.ts'
import { type FlowMessage, MESSAGES } from './messages.ts'

const LIFETIME_MS = 60 * 60_000
export const SETTINGS_PAGE = '/profile-settings'

interface Deps {
  readonly keeper: SessionKeeper
  readonly store: FlowStore
  readonly people: People
  readonly sessions: Sessions
  readonly seal: Seal
  readonly methods: readonly SettingsMethod[]
  readonly accounts: ProviderAccounts
}

/** How a flow of someone's settings begins. */
export const newSettings = (seal: Seal, owner: Identity, messages: FlowMessage[] = []): FlowStart => ({
  identityId: owner.id,
  state: { step: 'show_form', messages, challenge: newToken(), sealed: { totp: newTotpSecret(seal) } },
})

export function createSettings({ store, keeper, people, sessions, seal, methods, accounts }: Deps): ReturnableFlow {
  const refreshFor = (flow: Flow) => refreshRequired(`${SETTINGS_PAGE}?flow=${flow.id}`)

  /** @throws IdentityRefusal when the sign-in is too long ago */
  const requirePrivilege = (session: ActiveSession, flow: Flow): void => {
    if (!sessions.isPrivileged(session)) throw refreshFor(flow)
  }

  /** What was used once is not offered again. */
  const saved = ({ identity }: ActiveSession): FlowAnswer => {
    const fresh = newSettings(seal, identity, [MESSAGES.saved]).state
    return again({ ...fresh, step: 'success', values: {} }, 200)
  }

  return {
    type: 'settings',
    page: SETTINGS_PAGE,
    lifetimeMs: LIFETIME_MS,

    start: async ({ request, flavour, returnTo }) => {
      const { identity } = await keeper.require(request, flavour, returnTo ?? SETTINGS_PAGE)
      return newSettings(seal, identity)
    },

    admit: async (request, flow) => {
      const { identity } = await keeper.require(request, flow.kind, `${SETTINGS_PAGE}?flow=${flow.id}`)
      if (identity.id !== flow.identityId) throw new IdentityRefusal(REFUSALS.identityMismatch, {}, SETTINGS_PAGE)
    },

    toForm: async (flow, request) => {
      const owner = flow.identityId === null ? null : await people.findById(flow.identityId)
      if (!owner) throw new IdentityRefusal(REFUSALS.flowNotFound)
      const nodes = await Promise.all(methods.map((method) => method.nodes(flow, owner, request)))
      return { nodes: [csrfNode(flow), ...nodes.flat()] }
    },

    submit: async (call) => {
      const { request, flow, body } = call
      const session = await keeper.require(request, flow.kind)
      const method = methodOf(body, methods)
      if (!method) return again({ messages: [MESSAGES.unknownMethod] })
      if (method.isSensitive(body, session.identity) && !sessions.isPrivileged(session)) {
        // The form that people come back to has what they typed, and says nothing of an earlier save.
        const values = { ...flow.state.values, ...method.toKeep?.(body) }
        await store.update(flow, { values, messages: [], fieldMessages: {}, step: 'show_form' })
        throw refreshFor(flow)
      }
      const answer = await method.save(call, session)
      return answer === 'saved' ? saved(session) : answer
    },

    accept: async ({ request, flow, visitor }) => {
      const session = await keeper.require(request, flow.kind)
      requirePrivilege(session, flow)
      if (await accounts.link(session.identity.id, visitor)) return saved(session)
      return again({ step: 'show_form', messages: [MESSAGES.linkedElsewhere(visitor.provider.label)] })
    },
  }
}
