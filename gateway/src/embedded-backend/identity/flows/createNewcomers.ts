// How someone becomes a person here: by an invitation, with a proved address, or with an account at a provider.
import { z } from 'zod'

import type { Seal } from '../../../platform/createSeal.ts'
import type { IdentityService } from '../createIdentityService.ts'
import type { Identity } from '../identity.ts'
import { IdentityRefusal, REFUSALS } from '../identityErrors.ts'
import type { ProviderAccounts } from '../methods/createProviderAccounts.ts'
import { judgeTraits, traitValues } from '../methods/profile.ts'
import { normalEmail, type Traits, type WayIn } from '../people/createPeople.ts'
import type { SessionKeeper } from '../sessions/createSessionKeeper.ts'
import { toSession } from '../sessions/toSession.ts'
import type { FlowStore } from './createFlowStore.ts'
import { type MailedProofs, PROOF_MINUTES } from './createMailedProofs.ts'
import { again, type FlowAnswer, type ReturnCall, type SubmitCall } from './flowDefinition.ts'
import { MESSAGES } from './messages.ts'

/** Property `identity.registration`. */
export type RegistrationMode = 'off' | 'invitation' | 'open'

type Call = Omit<SubmitCall, 'body'>

export interface Newcomers {
  /** Mails a code to whoever has the address, which `prove` takes. */
  askForProof(call: Call, traits: Traits, wayIn: WayIn): Promise<FlowAnswer>
  /** @throws IdentityRefusal when someone else took the address meanwhile */
  prove(call: Call, code: string): Promise<FlowAnswer>
  /** @throws IdentityRefusal when the invitation was used meanwhile */
  acceptPassword(call: Call, invitation: string, traits: Traits, passwordHash: string): Promise<FlowAnswer>
  /** Someone comes from a provider. @param invitation that they brought, if any */
  accept(call: ReturnCall, invitation: string | null): Promise<FlowAnswer>
}

const METHOD = 'oidc'

interface Deps {
  readonly store: FlowStore
  readonly keeper: SessionKeeper
  readonly identity: IdentityService
  readonly proofs: MailedProofs
  readonly seal: Seal
  readonly accounts: ProviderAccounts
  readonly readMode: () => Promise<RegistrationMode>
}

/** An account at a provider that waits for its owner to prove the address. */
const LinkSchema = z.object({ identifier: z.string(), config: z.object({ email: z.string() }) })

export function createNewcomers({ store, keeper, identity, proofs, seal, accounts, readMode }: Deps): Newcomers {
  const signIn = async ({ request, reply, flow }: Call, person: Identity, method: string): Promise<FlowAnswer> => {
    const { session, token } = await keeper.open(request, reply, flow.kind, {
      identity: person,
      proof: { method, aal: 'aal1' },
    })
    return { kind: 'signed-in', session: toSession(session), token }
  }

  const redeem = async ({ flow }: Call, invitation: string): Promise<Identity> => {
    const person = await identity.redeemSignInLink(invitation)
    if (!person || !(await store.complete(flow))) throw new IdentityRefusal(REFUSALS.invitationInvalid)
    return person
  }

  const askForProof = async (call: Call, traits: Traits, wayIn: WayIn): Promise<FlowAnswer> => {
    const sealed =
      'link' in wayIn ? { link: seal.seal(JSON.stringify(wayIn.link)) } : { password: seal.seal(wayIn.passwordHash) }
    const existing = await identity.findByEmail(traits.email)
    return proofs.send(call, {
      email: traits.email,
      identityId: null,
      isReal: existing === null,
      via: 'code',
      toMail: (code) => ({
        to: traits.email,
        template: 'verification_code',
        data: { code, minutes: PROOF_MINUTES },
      }),
      changes: { values: traitValues(traits), messages: [MESSAGES.registrationCodeSent], sealed },
      status: 400,
    })
  }

  /** Someone was invited, and will sign in with an account at a provider, of whatever address. */
  const acceptInvited = async (call: ReturnCall, invitation: string): Promise<FlowAnswer> => {
    const { visitor } = call
    const person = await redeem(call, invitation)
    if (!(await accounts.link(person.id, visitor))) throw new IdentityRefusal(REFUSALS.takenMeanwhile)
    if (person.firstName === '' && person.lastName === '') {
      await identity.setTraits(person.id, { ...visitor, email: person.email })
    }
    const isSameAddress = normalEmail(visitor.email) === normalEmail(person.email)
    if (visitor.isEmailProved && isSameAddress) await identity.markVerified(person.id, person.email)
    return signIn(call, (await identity.findById(person.id)) ?? person, METHOD)
  }

  const acceptNew = async (call: ReturnCall): Promise<FlowAnswer> => {
    const { visitor, flow } = call
    const { label } = visitor.provider
    if (Object.keys(judgeTraits(visitor)).length > 0) return again({ messages: [MESSAGES.noAddress(label)] })
    if (!visitor.isEmailProved) {
      return askForProof(call, visitor, { link: visitor.link })
    }
    const person = await identity.register(visitor)
    if (!person) return again({ messages: [MESSAGES.takenAddress(label)] })
    if (!(await store.complete(flow))) throw new IdentityRefusal(REFUSALS.flowNotFound)
    return signIn(call, person, METHOD)
  }

  return {
    askForProof,

    prove: async (call, code) => {
      const { flow } = call
      const verdict = await proofs.check(flow, code)
      const { password, link } = flow.state.sealed
      if (verdict === 'spent') return again({ messages: [MESSAGES.usedUpCode], step: 'choose_method', active: null })
      if (verdict === 'wrong' || (password ?? link) === undefined)
        return again({ messages: [MESSAGES.wrongRegistrationCode] })
      if (!(await store.complete(flow))) throw new IdentityRefusal(REFUSALS.flowNotFound)
      const { values } = flow.state
      const wayIn: WayIn =
        password === undefined
          ? { link: LinkSchema.parse(JSON.parse(seal.open(link ?? ''))) }
          : { passwordHash: seal.open(password) }
      const person = await identity.register({
        email: values['traits.email'] ?? '',
        firstName: values['traits.name.first'] ?? '',
        lastName: values['traits.name.last'] ?? '',
        ...wayIn,
      })
      if (!person) throw new IdentityRefusal(REFUSALS.takenMeanwhile)
      return signIn(call, person, password === undefined ? METHOD : 'password')
    },

    acceptPassword: async (call, invitation, traits, passwordHash) => {
      const person = await redeem(call, invitation)
      await identity.setTraits(person.id, traits)
      await identity.setPasswordHash(person.id, passwordHash)
      await identity.markVerified(person.id, person.email)
      return signIn(call, (await identity.findById(person.id)) ?? person, 'password')
    },

    accept: async (call, invitation) => {
      const { visitor, flow } = call
      const owner = await accounts.ownerOf(visitor)
      const { label } = visitor.provider
      if (owner === null) {
        if (invitation !== null) return acceptInvited(call, invitation)
        return (await readMode()) === 'open' ? acceptNew(call) : again({ messages: [MESSAGES.notLinked(label)] })
      }
      if (invitation !== null) return again({ messages: [MESSAGES.linkedElsewhere(label)] })
      if (owner.state !== 'active') return again({ messages: [MESSAGES.inactive] })
      if (!(await store.complete(flow))) throw new IdentityRefusal(REFUSALS.flowNotFound)
      return signIn(call, owner, METHOD)
    },
  }
}
