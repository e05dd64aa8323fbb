// A new account, where that is offered: first who, then a password, or an account at a provider. Who brings an invitation is let in at
// once; anyone else proves the address first, and is told the same whether it has an account already.
import type { Seal } from '../../../platform/createSeal.ts'
import type { IdentityService } from '../createIdentityService.ts'
import { FlowNotOffered, IdentityRefusal, REFUSALS } from '../identityErrors.ts'
import { FULL_LINE_WAIT_MS } from '../methods/createPasswords.ts'
import { methodOf } from '../methods/loginMethod.ts'
import type { Oidc } from '../methods/oidc.ts'
import { judgePassword, tooOften } from '../methods/password.ts'
import { judgeTraits, readTraits, traitNodes, traitValues } from '../methods/profile.ts'
import { textOf } from '../methods/settingsMethod.ts'
import type { Traits } from '../people/createPeople.ts'
import type { SessionKeeper } from '../sessions/createSessionKeeper.ts'
import { isComplete } from '../sessions/createSessions.ts'
import { PROOF_LIFETIME_MS } from './createMailedProofs.ts'
import type { Newcomers, RegistrationMode } from './createNewcomers.ts'
import { csrfNode, type Flow } from './flow.ts'
import { again, type FlowAnswer, type ReturnableFlow, type SubmitCall } from './flowDefinition.ts'
import { openInvitation } from './flowInvitation.ts'
import { codeNodes } from './mailedFlow.ts'
import { MESSAGES } from './messages.ts'
import { type FlowNode, hidden, input, LABELS, submit, withFixed } from './nodes.ts'

export const REGISTRATION_PAGE = '/registration'

interface Deps {
  readonly keeper: SessionKeeper
  readonly identity: IdentityService
  readonly seal: Seal
  readonly readMode: () => Promise<RegistrationMode>
  readonly oidc: Oidc
  readonly newcomers: Newcomers
}

export function createRegistration(deps: Deps): ReturnableFlow {
  const { keeper, identity, seal, readMode, oidc, newcomers } = deps

  /** Everything that was typed, in the last step of it. */
  const submitPassword = async (call: SubmitCall): Promise<FlowAnswer> => {
    const { flow, body } = call
    const traits = await readOwnTraits(call)
    const values = traitValues(traits)
    const password = textOf(body, 'password')
    const fault = judgePassword(password, traits.email)
    const traitFaults = judgeTraits(traits)
    const fieldMessages = { ...traitFaults, ...(fault ? { password: [fault] } : {}) }
    if (Object.keys(fieldMessages).length > 0) {
      // Only the first step has fields for who someone is: elsewhere nobody would read what is wrong with them.
      return again({ values, fieldMessages, active: Object.keys(traitFaults).length > 0 ? null : 'password' })
    }
    const hashing = identity.hashChosen(password)
    if (!hashing) return tooOften(FULL_LINE_WAIT_MS, { values, active: 'password' })
    const hash = await hashing
    const invitation = invitationOf(flow)
    return invitation === null
      ? newcomers.askForProof(call, traits, { passwordHash: hash })
      : newcomers.acceptPassword(call, invitation, traits, hash)
  }

  const invitationOf = (flow: Flow): string | null => openInvitation(seal, flow)

  /** What was typed; invited people have the address that the invitation is for. */
  const readOwnTraits = async ({ flow, body }: SubmitCall): Promise<Traits> => {
    const invitation = invitationOf(flow)
    const invited = invitation === null ? null : await identity.findInvited(invitation)
    const given = readTraits(body)
    return invited ? { ...given, email: invited.email } : given
  }

  /** Of the form in which people say who they are. */
  const identityNodes = (flow: Flow): FlowNode[] => {
    const nodes = traitNodes('default', flow.state.values)
    return invitationOf(flow) === null ? nodes : withFixed(nodes, 'traits.email', MESSAGES.invitedAddress)
  }

  /** @throws FlowNotOffered when accounts are not made that way, now */
  const requireOffered = async (isInvited: boolean): Promise<void> => {
    const mode = await readMode()
    if (mode === 'off') throw new FlowNotOffered(REFUSALS.registrationOff)
    if (mode === 'invitation' && !isInvited) throw new FlowNotOffered(REFUSALS.invitationNeeded)
  }

  return {
    type: 'registration',
    page: REGISTRATION_PAGE,
    lifetimeMs: PROOF_LIFETIME_MS,

    invitationOf,

    start: async ({ request, flavour, query: { invitation } }) => {
      await requireOffered(invitation !== '')
      const session = await keeper.find(request, flavour)
      if (session && isComplete(session)) throw new IdentityRefusal(REFUSALS.registrationWhileSignedIn, {}, '/')
      const invited = invitation === '' ? null : await identity.findInvited(invitation)
      if (!invited && invitation !== '') throw new FlowNotOffered(REFUSALS.invitationInvalid)
      return {
        state: invited ? { values: traitValues(invited), sealed: { invitation: seal.seal(invitation) } } : {},
      }
    },

    toForm: async (flow, request) => {
      const { state } = flow
      if (state.step === 'sent_email') {
        return {
          nodes: [
            csrfNode(flow),
            ...codeNodes({ id: 1_070_012, text: 'Registration code' }, { name: 'screen', value: 'previous' }),
          ],
        }
      }
      if (state.active === 'password') return { nodes: [csrfNode(flow), ...passwordNodes(state.values)] }
      return {
        nodes: [
          ...identityNodes(flow),
          csrfNode(flow),
          submit('profile', { id: 1_040_001, text: 'Sign up' }),
          ...(await oidc.nodes(flow, null, request)),
        ],
      }
    },

    submit: async (call) => {
      const { body, flow } = call
      // The form may be older than the decision.
      await requireOffered(invitationOf(flow) !== null)
      const code = textOf(body, 'code').replaceAll(/\s/g, '')
      if (body['screen'] === 'previous') return again({ step: 'choose_method', active: null, proof: null })
      if (flow.state.step === 'sent_email') {
        return code === ''
          ? again({ fieldMessages: { code: [MESSAGES.missing('code')] } })
          : newcomers.prove(call, code)
      }
      if (methodOf(body, [oidc])) return oidc.leave(call)
      if (body['method'] === 'password') return submitPassword(call)
      if (body['method'] !== 'profile') return again({ messages: [MESSAGES.unknownMethod] })
      const traits = await readOwnTraits(call)
      const values = traitValues(traits)
      const fieldMessages = judgeTraits(traits)
      if (Object.keys(fieldMessages).length > 0) return again({ values, fieldMessages, active: null })
      // Kratos answers every further step with 400.
      return again({ values, active: 'password', messages: [MESSAGES.chooseCredential] })
    },

    accept: (call) => newcomers.accept(call, invitationOf(call.flow)),
  }
}

const passwordNodes = (values: Readonly<Record<string, string>>): FlowNode[] => [
  ...Object.entries(values).map(([name, value]) => hidden('default', name, value)),
  input(
    'password',
    { name: 'password', type: 'password', required: true, autocomplete: 'new-password' },
    LABELS.password,
  ),
  submit('password', { id: 1_040_001, text: 'Sign up' }),
  submit('profile', { id: 1_040_008, text: 'Back' }, 'previous', 'screen'),
]
