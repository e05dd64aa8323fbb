// The section of a person's settings where keys are added and removed: one for security keys, one for passkeys.
import type { Flow } from '../flows/flow.ts'
import { again } from '../flows/flowDefinition.ts'
import { MESSAGES } from '../flows/messages.ts'
import { type FlowNode, hidden, input, keyButton, submit } from '../flows/nodes.ts'
import type { Identity } from '../identity.ts'
import type { ActiveSession } from '../sessions/createSessions.ts'
import type { Credentials } from './createCredentials.ts'
import { type KeyPlace, type Keys, keyPlace, type KeyType } from './keys.ts'
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
}

interface KeySettings extends Pick<SettingsMethod, 'save'> {
  nodes(flow: Flow, owner: Identity, place: KeyPlace): Promise<readonly FlowNode[]>
}

interface Deps {
  readonly credentials: Credentials
  readonly keys: Keys
  readonly words: KeyWords
  /** Before a new key counts. */
  readonly onAdding?: (session: ActiveSession) => Promise<void>
}

export function createKeySettings({ credentials, keys, words, onAdding }: Deps): KeySettings {
  const { type, noun } = words
  const fields = { name: `${type}_register_displayname`, remove: `${type}_remove`, add: `${type}_register_trigger` }
  return {
    nodes: async (flow, owner, place) => [
      ...(await keys.list(owner.id)).map(({ id, name }) =>
        submit(type, { id: words.removeId, text: `Remove ${noun} "${name}"` }, id, fields.remove),
      ),
      input(type, { name: fields.name, type: 'text' }, { id: 1_050_013, text: `Name of the ${noun}` }),
      hidden(type, words.answer),
      keyButton(type, fields.add, words.trigger, await keys.askForNew(flow, owner, place), {
        id: words.addId,
        text: `Add ${noun}`,
      }),
    ],

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
