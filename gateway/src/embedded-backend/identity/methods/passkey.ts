// Passkeys: sign in without a name or a password.
import { again } from '../flows/flowDefinition.ts'
import { MESSAGES } from '../flows/messages.ts'
import { hidden, keyButton } from '../flows/nodes.ts'
import type { People } from '../people/createPeople.ts'
import type { Credentials } from './createCredentials.ts'
import { createKeySettings } from './createKeySettings.ts'
import { createKeys, keyPlace } from './keys.ts'
import type { LoginMethod } from './loginMethod.ts'
import { type SettingsMethod, textOf } from './settingsMethod.ts'

interface Deps {
  readonly credentials: Credentials
  readonly people: People
}

export function createPasskey({ credentials, people }: Deps): LoginMethod & SettingsMethod {
  const keys = createKeys(credentials, 'passkey')
  const settings = createKeySettings({
    credentials,
    keys,
    words: {
      type: 'passkey',
      noun: 'passkey',
      answer: 'passkey_settings_register',
      trigger: 'oryPasskeySettingsRegistration',
      addId: 1_050_019,
      removeId: 1_050_020,
    },
  })
  return {
    name: 'passkey',
    aal: 'aal1',
    isSensitive: () => true,
    save: settings.save,

    nodes: async (flow, owner, request) => {
      const place = keyPlace(request)
      if (!place) return []
      if (flow.type !== 'login') return owner ? settings.nodes(flow, owner, place) : []
      if (owner && (await keys.list(owner.id)).length === 0) return []
      const question = await keys.askForOne(flow, owner, place)
      return [
        hidden('passkey', 'passkey_login'),
        keyButton('passkey', 'passkey_login_trigger', 'oryPasskeyLogin', question, {
          id: 1_010_021,
          text: 'Sign in with passkey',
        }),
      ]
    },

    prove: async ({ request, flow, body }, owner) => {
      const place = keyPlace(request)
      const used = place ? await keys.use(flow, place, textOf(body, 'passkey_login')) : null
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
