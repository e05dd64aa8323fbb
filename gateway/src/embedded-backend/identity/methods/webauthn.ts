// Security keys as a second factor.
import { again } from '../flows/flowDefinition.ts'
import { MESSAGES } from '../flows/messages.ts'
import { hidden, input, keyButton, submit } from '../flows/nodes.ts'
import type { Sessions } from '../sessions/createSessions.ts'
import type { Credentials } from './createCredentials.ts'
import { createKeys, keyNameOf, keyPlace } from './keys.ts'
import type { LoginMethod } from './loginMethod.ts'
import { type SettingsMethod, textOf } from './settingsMethod.ts'

interface Deps {
  readonly credentials: Credentials
  readonly sessions: Sessions
}

export function createWebauthn({ credentials, sessions }: Deps): LoginMethod & SettingsMethod {
  const keys = createKeys(credentials, 'webauthn')
  return {
    name: 'webauthn',
    aal: 'aal2',
    isSensitive: () => true,

    nodes: async (flow, owner, request) => {
      const place = keyPlace(request)
      if (!owner || !place) return []
      const existing = await keys.list(owner.id)
      if (flow.type === 'login') {
        if (existing.length === 0) return []
        return [
          hidden('webauthn', 'webauthn_login'),
          keyButton(
            'webauthn',
            'webauthn_login_trigger',
            'oryWebAuthnLogin',
            await keys.askForOne(flow, owner, place),
            {
              id: 1_010_008,
              text: 'Use security key',
            },
          ),
        ]
      }
      return [
        ...existing.map(({ id, name }) =>
          submit('webauthn', { id: 1_050_018, text: `Remove security key "${name}"` }, id, 'webauthn_remove'),
        ),
        input(
          'webauthn',
          { name: 'webauthn_register_displayname', type: 'text' },
          { id: 1_050_013, text: 'Name of the security key' },
        ),
        hidden('webauthn', 'webauthn_register'),
        keyButton(
          'webauthn',
          'webauthn_register_trigger',
          'oryWebAuthnRegistration',
          await keys.askForNew(flow, owner, place),
          { id: 1_050_012, text: 'Add security key' },
        ),
      ]
    },

    prove: async ({ request, flow, body }, owner) => {
      const place = keyPlace(request)
      const used = place ? await keys.use(flow, place, textOf(body, 'webauthn_login')) : null
      return owner && used?.identityId === owner.id
        ? { ok: true, identity: owner }
        : { ok: false, answer: again({ messages: [MESSAGES.wrongKey] }) }
    },

    save: async ({ request, flow, body }, session) => {
      const removed = textOf(body, 'webauthn_remove')
      if (removed !== '') {
        await credentials.remove(session.identity.id, 'webauthn', removed)
        return 'saved'
      }
      const place = keyPlace(request)
      const answer = textOf(body, 'webauthn_register')
      const key = place ? await keys.readNew(flow, place, answer, keyNameOf(body, 'webauthn')) : null
      if (!key) return again({ messages: [MESSAGES.wrongKeyRegistration] })
      // First: a session without the new factor would end.
      await sessions.addProof(session.id, { method: 'webauthn', aal: 'aal2' })
      const isAdded = await credentials.put({ identityId: session.identity.id, type: 'webauthn', ...key })
      return isAdded ? 'saved' : again({ messages: [MESSAGES.wrongKeyRegistration] })
    },
  }
}
