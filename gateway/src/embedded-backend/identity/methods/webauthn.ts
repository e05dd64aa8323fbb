// Security keys as a second factor.
import { again } from '../flows/flowDefinition.ts'
import { MESSAGES } from '../flows/messages.ts'
import { hidden, keyButton } from '../flows/nodes.ts'
import type { Sessions } from '../sessions/createSessions.ts'
import type { Credentials } from './createCredentials.ts'
import { createKeySettings } from './createKeySettings.ts'
import { createKeys, keyPlace } from './keys.ts'
import type { LoginMethod } from './loginMethod.ts'
import { type SettingsMethod, textOf } from './settingsMethod.ts'

interface Deps {
  readonly credentials: Credentials
  readonly sessions: Sessions
}

export function createWebauthn({ credentials, sessions }: Deps): LoginMethod & SettingsMethod {
  const keys = createKeys(credentials, 'webauthn')
  const settings = createKeySettings({
    credentials,
    keys,
    words: {
      type: 'webauthn',
      noun: 'security key',
      answer: 'webauthn_register',
      trigger: 'oryWebAuthnRegistration',
      addId: 1_050_012,
      removeId: 1_050_018,
    },
    // A session without the new factor would end.
    onAdding: ({ id }) => sessions.addProof(id, { method: 'webauthn', aal: 'aal2' }),
  })
  return {
    name: 'webauthn',
    aal: 'aal2',
    isSensitive: () => true,
    save: settings.save,

    nodes: async (flow, owner, request) => {
      const place = keyPlace(request)
      if (!owner || !place) return []
      if (flow.type !== 'login') return settings.nodes(flow, owner, place)
      if ((await keys.list(owner.id)).length === 0) return []
      const question = await keys.askForOne(flow, owner, place)
      return [
        hidden('webauthn', 'webauthn_login'),
        keyButton('webauthn', 'webauthn_login_trigger', 'oryWebAuthnLogin', question, {
          id: 1_010_008,
          text: 'Use security key',
        }),
      ]
    },

    prove: async ({ request, flow, body }, owner) => {
      const place = keyPlace(request)
      const used = place ? await keys.use(flow, place, textOf(body, 'webauthn_login')) : null
      return owner && used?.identityId === owner.id
        ? { ok: true, identity: owner }
        : { ok: false, answer: again({ messages: [MESSAGES.wrongKey] }) }
    },
  }
}
