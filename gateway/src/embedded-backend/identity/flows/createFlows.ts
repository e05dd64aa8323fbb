// Every kind of flow with its methods.
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'

import type { Seal } from '../../../platform/createSeal.ts'
import type { RoutePolicy } from '../../../platform/http/defineRoute.ts'
import { SignInProviderSchema } from '../../contract.ts'
import type { Mailer } from '../../mail/createMailer.ts'
import type { BackendContext } from '../../server/context.ts'
import type { Principal } from '../../server/principal.ts'
import { readProperty } from '../../settings/readProperty.ts'
import type { IdentityService } from '../createIdentityService.ts'
import type { NewFlowLimit } from '../createNewFlowLimit.ts'
import { createCredentials } from '../methods/createCredentials.ts'
import { createProviderAccounts } from '../methods/createProviderAccounts.ts'
import { createLookupSecret } from '../methods/lookupSecret.ts'
import { createOidc } from '../methods/oidc.ts'
import { createPasskey } from '../methods/passkey.ts'
import { createPasswordLogin, createPasswordSettings } from '../methods/password.ts'
import { createProfile } from '../methods/profile.ts'
import { createTotp } from '../methods/totp.ts'
import { createWebauthn } from '../methods/webauthn.ts'
import type { SessionKeeper } from '../sessions/createSessionKeeper.ts'
import { createFlowStore } from './createFlowStore.ts'
import { createMailedProofs } from './createMailedProofs.ts'
import { createNewcomers } from './createNewcomers.ts'
import type { FlowAnswer, FlowDefinition, ReturnCall } from './flowDefinition.ts'
import { createLinkRoutes } from './linkRoutes.ts'
import { createLogin } from './login.ts'
import { createNextStep } from './nextStep.ts'
import { createRecovery } from './recovery.ts'
import { createFlowMaker, registerFlow } from './registerFlow.ts'
import { createRegistration } from './registration.ts'
import { createReturnRoute } from './returnRoute.ts'
import { createSettings } from './settings.ts'
import { createVerification } from './verification.ts'

interface Deps {
  readonly context: BackendContext
  readonly identity: IdentityService
  readonly keeper: SessionKeeper
  readonly mailer: Mailer
  readonly seal: Seal
  readonly newFlows: NewFlowLimit
  readonly policy: RoutePolicy<Principal>
}

export function createFlows({ context, identity, keeper, mailer, seal, newFlows, policy }: Deps) {
  const { pool, clock } = context
  const { publicUrl } = context.options
  const store = createFlowStore(context)
  const wiring = { store, newFlows, clock, publicUrl, policy }
  const makerOf = (definition: FlowDefinition) => createFlowMaker(definition, wiring)
  const common = { pool, clock, store, keeper, seal, mailer, identity, people: identity, sessions: identity }
  const providers = z.array(SignInProviderSchema).parse(context.options.signInProviders ?? [])
  const credentials = createCredentials({ pool, issuers: providers.map(({ issuer }) => issuer) })
  const accounts = createProviderAccounts({ ...context, providers, credentials, people: identity, seal })
  const oidc = createOidc({ accounts, credentials, store, publicUrl })
  const proofs = createMailedProofs(common)

  const totp = createTotp({ ...common, credentials })
  const lookupSecret = createLookupSecret({ ...common, credentials })
  const webauthn = createWebauthn({ ...common, credentials })
  const passkey = createPasskey({ ...common, credentials })

  /** The first value holds when it is not set, or set to something else: the strictest or most usual way. */
  const readChoice = async <Value extends string>(
    name: string,
    values: readonly [Value, ...Value[]],
  ): Promise<Value> => {
    const set = await readProperty(pool, context.options.properties ?? {}, name)
    return values.find((value) => value === set) ?? values[0]
  }
  const readMode = () => readChoice('identity.registration', ['off', 'invitation', 'open'])
  const newcomers = createNewcomers({ ...common, proofs, accounts, readMode })
  const registration = createRegistration({ ...common, readMode, oidc, newcomers })
  /** Whoever signs in with an account that nobody has linked registers with it. */
  const signUp = async (call: ReturnCall): Promise<FlowAnswer | null> => {
    if ((await readMode()) !== 'open') return null
    const flow = await makerOf(registration).create(call, 'browser', call.flow.returnTo, {})
    const answer = await registration.accept({ ...call, flow })
    if (answer.kind !== 'form') return answer
    await store.update(flow, answer.changes)
    return { kind: 'moved', to: `${registration.page}?flow=${flow.id}` }
  }
  const nextStep = createNextStep({ seal, makerOf, settings: () => settings })
  const login = createLogin({
    ...common,
    links: identity,
    nextStep,
    readMode,
    methods: [createPasswordLogin(identity), passkey, oidc, totp, lookupSecret, webauthn],
    accounts,
    signUp,
  })
  const settings = createSettings({
    ...common,
    methods: [createProfile(identity), createPasswordSettings(identity), oidc, lookupSecret, webauthn, passkey, totp],
    accounts,
  })
  const readVia = (property: string) => () => readChoice(property, ['code', 'link'])
  const recovery = createRecovery({
    ...common,
    proofs,
    settings: makerOf(settings),
    readVia: readVia('identity.recovery.use'),
  })
  const verification = createVerification({ ...common, proofs, readVia: readVia('identity.verification.use') })

  return {
    returnRoute: createReturnRoute({
      ...common,
      accounts,
      publicUrl,
      makerOf,
      login,
      registration,
      settings,
    }),
    linkRoutes: createLinkRoutes({
      ...common,
      now: () => clock.now(),
      links: identity,
      makerOf,
      login,
      registration,
      readMode,
      nextStep,
      recovery,
      verification,
    }),
    register: (app: FastifyInstance): void => {
      for (const definition of [login, settings, recovery, verification, registration]) {
        registerFlow(app, definition, wiring)
      }
    },
  }
}
