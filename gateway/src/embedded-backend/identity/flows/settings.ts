import type { Seal } from '../../../platform/createSeal.ts'
import type { Identity } from '../identity.ts'
// A person's own settings: each method has its section.
import { IdentityRefusal, REFUSALS, refreshRequired } from '../identityErrors.ts'
import { methodOf } from '../methods/loginMethod.ts'
import type { SettingsMethod } from '../methods/settingsMethod.ts'
import { newTotpSecret } from '../methods/totp.ts'
import type { People } from '../people/createPeople.ts'
import { newToken } from '../secrets.ts'
import type { SessionKeeper } from '../sessions/createSessionKeeper.ts'
import type { Sessions } from '../sessions/createSessions.ts'
import { csrfNode } from './flow.ts'
import { again, type FlowDefinition, type FlowStart } from './flowDefinition.ts'
import { type FlowMessage, MESSAGES } from './messages.ts'

const LIFETIME_MS = 60 * 60_000
export const SETTINGS_PAGE = '/profile-settings'

interface Deps {
  readonly keeper: SessionKeeper
  readonly people: People
  readonly sessions: Sessions
  readonly seal: Seal
  readonly methods: readonly SettingsMethod[]
}

/** How a flow of someone's settings begins. */
export const newSettings = (seal: Seal, owner: Identity, messages: FlowMessage[] = []): FlowStart => ({
  identityId: owner.id,
  state: { step: 'show_form', messages, challenge: newToken(), sealed: { totp: newTotpSecret(seal) } },
})

export function createSettings({ keeper, people, sessions, seal, methods }: Deps): FlowDefinition {
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
      const name = methodOf(
        body,
        methods.map((method) => method.name),
      )
      const method = methods.find((candidate) => candidate.name === name)
      if (!method) return again({ messages: [MESSAGES.unknownMethod] })
      if (method.isSensitive(body, session.identity) && !sessions.isPrivileged(session)) {
        throw refreshRequired(`${SETTINGS_PAGE}?flow=${flow.id}`)
      }
      const answer = await method.save(call, session)
      if (answer !== 'saved') return answer
      // What was used once is not offered again.
      const fresh = newSettings(seal, session.identity, [MESSAGES.saved]).state
      return again({ ...fresh, step: 'success', values: {} }, 200)
    },
  }
}
