// What people see of their keys: the section of their settings where keys are added and removed, and the button to sign in with one.
// One for security keys, one for passkeys.
import type { Flow } from '../flows/flow.ts'
import { again, type SubmitCall } from '../flows/flowDefinition.ts'
import { MESSAGES } from '../flows/messages.ts'
import { type FlowNode, hidden, input, keyButton, submit } from '../flows/nodes.ts'
import type { Identity } from '../identity.ts'
import type { ActiveSession } from '../sessions/createSessions.ts'
import type { Credential, Credentials } from './createCredentials.ts'
import { createKeys, type KeyPlace, keyPlace, type KeyType } from './keys.ts'
import type { LoginMethod } from './loginMethod.ts'
import { type SettingsMethod, textOf } from './settingsMethod.ts'

/** What is called otherwise on the wire and by people. */
interface KeyWords {
  readonly type: KeyType
  /** As people call one. */
  readonly noun: string
  /** Field that the browser's answer comes in. */
  readonly answer: string
  /** Function of the page that asks for a new one. */
  readonly trigger: string
  readonly addId: number
  readonly removeId: number
  /** Of the button to sign in with one; the function of the page that asks for it. */
  readonly use: { readonly trigger: string; readonly id: number; readonly text: string }
}

interface KeyForms extends Pick<LoginMethod, 'nodes'>, Pick<SettingsMethod, 'save'> {
  /** @returns whose key answered; null when it is nobody's, or answered something else */
  readonly findUsed: (call: SubmitCall) => Promise<Credential | null>
}

interface Deps {
  readonly credentials: Credentials
  readonly words: KeyWords
  /** Whether one signs in with it before it is known who it is. */
  readonly isForAnyone: boolean
  /** Before a new key counts. */
  readonly onAdding?: (session: ActiveSession) => Promise<void>
}

export function createKeyForms({ credentials, words, isForAnyone, onAdding }: Deps): KeyForms {
  const { type, noun, use } = words
  const keys = createKeys(credentials, type)
  const fields = {
    name: `${type}_register_displayname`,
    remove: `${type}_remove`,
    add: `${type}_register_trigger`,
    use: `${type}_login`,
    askForUse: `${type}_login_trigger`,
  }

  const settingsNodes = async (flow: Flow, owner: Identity, place: KeyPlace): Promise<readonly FlowNode[]> => [
    ...(await keys.list(owner.id)).map(({ id, name }) =>
      submit(type, { id: words.removeId, text: `Remove ${noun} "${name}"` }, id, fields.remove),
    ),
    input(type, { name: fields.name, type: 'text' }, { id: 1_050_013, text: `Name of the ${noun}` }),
    hidden(type, words.answer),
    keyButton(type, fields.add, words.trigger, await keys.askForNew(flow, owner, place), {
      id: words.addId,
      text: `Add ${noun}`,
    }),
  ]

  return {
    nodes: async (flow, owner, request) => {
      const place = keyPlace(request)
      if (!place || (!owner && !isForAnyone)) return []
      if (flow.type !== 'login') return owner ? settingsNodes(flow, owner, place) : []
      if (owner && (await keys.list(owner.id)).length === 0) return []
      const question = await keys.askForOne(flow, owner, place)
      return [
        hidden(type, fields.use),
        keyButton(type, fields.askForUse, use.trigger, question, { id: use.id, text: use.text }),
      ]
    },

    findUsed: async ({ request, flow, body }) => {
      const place = keyPlace(request)
      return place ? keys.use(flow, place, textOf(body, fields.use)) : null
    },

    save: async ({ request, flow, body }, session) => {
      const { identity } = session
      const removed = textOf(body, fields.remove)
      if (removed !== '') {
        if (type === 'webauthn') await credentials.remove(identity.id, type, removed)
        else if (!(await credentials.removeWayIn(identity.id, type, removed))) {
          return again({ step: 'show_form', messages: [MESSAGES.lastWayIn] })
        }
        return 'saved'
      }
      const place = keyPlace(request)
      const key = place ? await keys.readNew(flow, place, textOf(body, words.answer), textOf(body, fields.name)) : null
      if (!key) return again({ messages: [MESSAGES.wrongKeyRegistration] })
      await onAdding?.(session)
      const isAdded = await credentials.put({ identityId: identity.id, type, ...key })
      return isAdded ? 'saved' : again({ messages: [MESSAGES.wrongKeyRegistration] })
    },
  }
}
