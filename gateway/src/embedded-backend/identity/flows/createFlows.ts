// Every kind of flow with its methods.
import type { FastifyInstance } from 'fastify'
import type { Pool } from 'pg'

import type { Seal } from '../../../platform/createSeal.ts'
import type { RoutePolicy } from '../../../platform/http/defineRoute.ts'
import type { Mailer } from '../../mail/createMailer.ts'
import type { BackendContext } from '../../server/context.ts'
import type { Principal } from '../../server/principal.ts'
import type { IdentityService } from '../createIdentityService.ts'
import { createCredentials } from '../methods/createCredentials.ts'
import { createLookupSecret } from '../methods/lookupSecret.ts'
import { createPasskey } from '../methods/passkey.ts'
import { createPasswordLogin, createPasswordSettings } from '../methods/password.ts'
import { createProfile } from '../methods/profile.ts'
import { createTotp } from '../methods/totp.ts'
import { createWebauthn } from '../methods/webauthn.ts'
import type { SessionKeeper } from '../sessions/createSessionKeeper.ts'
import { createFlowStore } from './createFlowStore.ts'
import { createMailedProofs } from './createMailedProofs.ts'
import type { FlowDefinition } from './flowDefinition.ts'
import { createLinkRoutes } from './linkRoutes.ts'
import { createLogin } from './login.ts'
import { createRecovery } from './recovery.ts'
import { createFlowMaker, registerFlow } from './registerFlow.ts'
import { createRegistration } from './registration.ts'
import { createSettings } from './settings.ts'
import { createVerification } from './verification.ts'

interface Deps {
  readonly context: BackendContext
  readonly identity: IdentityService
  readonly keeper: SessionKeeper
  readonly mailer: Mailer
  readonly seal: Seal
  readonly policy: RoutePolicy<Principal>
}

export function createFlows({ context, identity, keeper, mailer, seal, policy }: Deps) {
  const { pool, clock } = context
  const store = createFlowStore(context)
  const wiring = { store, clock, publicUrl: context.options.publicUrl, policy }
  const makerOf = (definition: FlowDefinition) => createFlowMaker(definition, wiring)
  const common = { pool, clock, store, keeper, seal, mailer, identity, people: identity, sessions: identity }
  const credentials = createCredentials(context)
  const proofs = createMailedProofs(common)

  const totp = createTotp({ ...common, credentials })
  const lookupSecret = createLookupSecret({ ...common, credentials })
  const webauthn = createWebauthn({ ...common, credentials })
  const passkey = createPasskey({ ...common, credentials })

  const login = createLogin({
    ...common,
    methods: [createPasswordLogin(identity), passkey, totp, lookupSecret, webauthn],
  })
  const settings = createSettings({
    ...common,
    methods: [createProfile(identity), createPasswordSettings(identity), lookupSecret, webauthn, passkey, totp],
  })
  const readVia = (property: string) => async () => (await readProperty(pool, property, ['code', 'link'])) ?? 'code'
  const recovery = createRecovery({
    ...common,
    proofs,
    settings: makerOf(settings),
    readVia: readVia('identity.recovery.use'),
  })
  const verification = createVerification({ ...common, proofs, readVia: readVia('identity.verification.use') })
  const registration = createRegistration({
    ...common,
    proofs,
    readMode: async () => (await readProperty(pool, 'identity.registration', ['off', 'invitation', 'open'])) ?? 'off',
  })

  return {
    linkRoutes: createLinkRoutes({
      ...common,
      now: () => clock.now(),
      links: identity,
      makerOf,
      login,
      settings,
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

/** @returns null when it is not set, or set to something else: then the strictest or most usual way holds */
async function readProperty<Value extends string>(
  pool: Pool,
  name: string,
  values: readonly Value[],
): Promise<Value | null> {
  const { rows } = await pool.query<{ value: string }>(
    'select value from properties where name = $1 and deleted_at is null',
    [name],
  )
  return values.find((value) => value === rows[0]?.value) ?? null
}
