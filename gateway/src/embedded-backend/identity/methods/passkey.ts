// Passkeys: sign in without a name or a password.
import { again } from '../flows/flowDefinition.ts'
import { MESSAGES } from '../flows/messages.ts'
import type { People } from '../people/createPeople.ts'
import type { Credentials } from './createCredentials.ts'
import { createKeyForms } from './createKeyForms.ts'
import type { LoginMethod } from './loginMethod.ts'
import type { SettingsMethod } from './settingsMethod.ts'

interface Deps {
  readonly credentials: Credentials
  readonly people: People
}

export function createPasskey({ credentials, people }: Deps): LoginMethod & SettingsMethod {
  const { nodes, save, findUsed } = createKeyForms({
    credentials,
    words: {
      type: 'passkey',
      noun: 'passkey',
      answer: 'passkey_settings_register',
      trigger: 'oryPasskeySettingsRegistration',
      addId: 1_050_019,
      removeId: 1_050_020,
      use: { trigger: 'oryPasskeyLogin', id: 1_010_021, text: 'Sign in with passkey' },
    },
    isForAnyone: true,
  })
  return {
    name: 'passkey',
    aal: 'aal1',
    isSensitive: () => true,
    nodes,
    save,

    prove: async (call, owner) => {
      const used = await findUsed(call)
      const identity = used ? await people.findById(used.identityId) : null
      if (!identity || (owner && owner.id !== identity.id)) {
        return { ok: false, answer: again({ messages: [MESSAGES.wrongKey] }) }
      }
      return identity.state === 'active'
        ? { ok: true, identity }
        : { ok: false, answer: again({ messages: [MESSAGES.inactive] }) }
    },
  }
}
