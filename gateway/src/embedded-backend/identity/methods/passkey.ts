// Passkeys: sign in without a name or a password.
import { again } from '../flows/flowDefinition.ts'
import { MESSAGES } from '../flows/messages.ts'
import { hidden, input, keyButton, submit } from '../flows/nodes.ts'
import type { People } from '../people/createPeople.ts'
import type { Credentials } from './createCredentials.ts'
import { createKeys, keyNameOf, keyPlace } from './keys.ts'
import type { LoginMethod } from './loginMethod.ts'
import { type SettingsMethod, textOf } from './settingsMethod.ts'

interface Deps {
  readonly credentials: Credentials
  readonly people: People
}

export function createPasskey({ credentials, people }: Deps): LoginMethod & SettingsMethod {
  const keys = createKeys(credentials, 'passkey')
  return {
    name: 'passkey',
    aal: 'aal1',
    isSensitive: () => true,

    nodes: async (flow, owner, request) => {
      const place = keyPlace(request)
      if (!place) return []
      if (flow.type === 'login') {
        if (owner && (await keys.list(owner.id)).length === 0) return []
        return [
          hidden('passkey', 'passkey_login'),
          keyButton('passkey', 'passkey_login_trigger', 'oryPasskeyLogin', await keys.askForOne(flow, owner, place), {
            id: 1_010_021,
            text: 'Sign in with passkey',
          }),
        ]
      }
      if (!owner) return []
      return [
        ...(await keys.list(owner.id)).map(({ id, name }) =>
          submit('passkey', { id: 1_050_020, text: `Remove passkey "${name}"` }, id, 'passkey_remove'),
        ),
        input(
          'passkey',
          { name: 'passkey_register_displayname', type: 'text' },
          { id: 1_050_013, text: 'Name of the passkey' },
        ),
        hidden('passkey', 'passkey_settings_register'),
        keyButton(
          'passkey',
          'passkey_register_trigger',
          'oryPasskeySettingsRegistration',
          await keys.askForNew(flow, owner, place),
          { id: 1_050_019, text: 'Add passkey' },
        ),
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

    save: async ({ request, flow, body }, { identity }) => {
      const removed = textOf(body, 'passkey_remove')
      if (removed !== '') {
        await credentials.remove(identity.id, 'passkey', removed)
        return 'saved'
      }
      const place = keyPlace(request)
      const answer = textOf(body, 'passkey_settings_register')
      const key = place ? await keys.readNew(flow, place, answer, keyNameOf(body, 'passkey')) : null
      const isAdded = key !== null && (await credentials.put({ identityId: identity.id, type: 'passkey', ...key }))
      return isAdded ? 'saved' : again({ messages: [MESSAGES.wrongKeyRegistration] })
    },
  }
}
