import type { Seal } from '../../../platform/createSeal.ts'
// Back into an account without its password: whoever reads its mail is let in, and led to its settings.
import type { Mailer } from '../../mail/createMailer.ts'
import { IdentityRefusal, REFUSALS } from '../identityErrors.ts'
import type { People } from '../people/createPeople.ts'
import type { SessionKeeper } from '../sessions/createSessionKeeper.ts'
import { isComplete } from '../sessions/createSessions.ts'
import { toSession } from '../sessions/toSession.ts'
import type { FlowStore } from './createFlowStore.ts'
import type { MailedProofs } from './createMailedProofs.ts'
import { createMailedFlow, type MailedFlow, type MailedVia } from './mailedFlow.ts'
import { MESSAGES } from './messages.ts'
import type { FlowMaker } from './registerFlow.ts'
import { newSettings, SETTINGS_PAGE } from './settings.ts'

interface Deps {
  readonly store: FlowStore
  readonly keeper: SessionKeeper
  readonly people: People
  readonly proofs: MailedProofs
  readonly mailer: Mailer
  readonly seal: Seal
  readonly settings: FlowMaker
  readonly readVia: () => Promise<MailedVia>
}

export function createRecovery({ store, keeper, people, seal, settings, ...deps }: Deps): MailedFlow {
  return createMailedFlow({
    ...deps,
    people,
    words: {
      type: 'recovery',
      page: '/recovery',
      sent: { code: MESSAGES.recoveryCodeSent, link: MESSAGES.recoveryLinkSent },
      wrong: { code: MESSAGES.wrongRecoveryCode, link: MESSAGES.wrongRecoveryLink },
      codeLabel: { id: 1_070_010, text: 'Recovery code' },
    },

    start: async ({ request, flavour }) => {
      const session = await keeper.find(request, flavour)
      if (session && isComplete(session)) throw new IdentityRefusal(REFUSALS.signedIn, {}, '/')
      return {}
    },

    onProved: async ({ request, reply, flow, owner, via }) => {
      if (!(await store.complete(flow))) throw new IdentityRefusal(REFUSALS.flowNotFound)
      await people.markVerified(owner.id, owner.email)
      // A link may be opened in another browser than the one that asked, never with a token.
      const flavour = via === 'link' ? 'browser' : flow.kind
      const { session, token } = await keeper.open(request, reply, flavour, {
        identity: owner,
        proof: { method: `${via}_recovery`, aal: 'aal1' },
      })
      if (flavour === 'api') return { kind: 'signed-in', session: toSession(session), token }
      const next = await settings.create(
        { request, reply },
        'browser',
        flow.returnTo,
        newSettings(seal, owner, [MESSAGES.recovered]),
      )
      return { kind: 'moved', to: `${SETTINGS_PAGE}?flow=${next.id}` }
    },
  })
}
