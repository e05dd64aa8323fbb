// Security keys as a second factor.
import { again } from '../flows/flowDefinition.ts'
import { MESSAGES } from '../flows/messages.ts'
import type { Sessions } from '../sessions/createSessions.ts'
import type { Credentials } from './createCredentials.ts'
import { createKeyForms } from './createKeyForms.ts'
import type { LoginMethod } from './loginMethod.ts'
import type { SettingsMethod } from './settingsMethod.ts'

interface Deps {
  readonly credentials: Credentials
  readonly sessions: Sessions
}

export function createWebauthn({ credentials, sessions }: Deps): LoginMethod & SettingsMethod {
  const { nodes, save, findUsed } = createKeyForms({
    credentials,
    words: {
      type: 'webauthn',
      noun: 'security key',
      answer: 'webauthn_register',
      trigger: 'oryWebAuthnRegistration',
      addId: 1_050_012,
      removeId: 1_050_018,
      use: { trigger: 'oryWebAuthnLogin', id: 1_010_008, text: 'Use security key' },
    },
    isForAnyone: false,
    // A session without the new factor would end.
    onAdding: ({ id }) => sessions.addProof(id, { method: 'webauthn', aal: 'aal2' }),
  })
  return {
    name: 'webauthn',
    aal: 'aal2',
    isSensitive: () => true,
    nodes,
    save,

    prove: async (call, owner) => {
      const used = await findUsed(call)
      return owner && used?.identityId === owner.id
        ? { ok: true, identity: owner }
        : { ok: false, answer: again({ messages: [MESSAGES.wrongKey] }) }
    },
  }
}
