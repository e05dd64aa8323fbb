// Security keys and passkeys: the identity service says what to ask the browser for, and which field takes the answer.
import {
  type PublicKeyCredentialCreationOptionsJSON,
  startAuthentication,
  startRegistration,
} from '@simplewebauthn/browser'
import type { FlowNode } from '@watchroom/shared/identity'
import { z } from 'zod'

import { type InputNode, isInputNode } from './flowValues.ts'

/** Names of functions of the service's own script, which our content policy does not run. */
const TRIGGERS = {
  oryWebAuthnRegistration: { field: 'webauthn_register', isNew: true },
  oryWebAuthnLogin: { field: 'webauthn_login', isNew: false },
  oryPasskeySettingsRegistration: { field: 'passkey_settings_register', isNew: true },
  oryPasskeyLogin: { field: 'passkey_login', isNew: false },
} as const

/** Fields that hold what the browser is asked, of a passkey that is used and of one that is made. */
const QUESTIONS: ReadonlySet<string> = new Set(['passkey_challenge', 'passkey_create_data'])

/** What the service asks of the browser; the browser checks the rest. */
const AskedSchema = z.object({ publicKey: z.looseObject({ challenge: z.string() }) })

const triggerOf = ({ attributes }: InputNode) =>
  Object.entries(TRIGGERS).find(([name]) => name === attributes.onclickTrigger)?.[1]

/** Whether this is a button that asks the browser for a key. */
export const isKeyNode = (node: InputNode): boolean =>
  node.attributes.type === 'button' && triggerOf(node) !== undefined

/**
 * Asks the browser, which asks the person, for the key.
 *
 * @throws when there is no key, or the person does not want to
 */
export async function askForKey(
  node: InputNode,
  nodes: readonly FlowNode[],
): Promise<{ field: string; answer: string }> {
  const trigger = triggerOf(node)
  if (!trigger) throw new Error('the button asks for no key')
  // Kratos gives what it asks of a passkey in a field of its own, beside a button whose value is empty.
  const asked = nodes.find((other) => isInputNode(other) && QUESTIONS.has(other.attributes.name))
  const value = node.attributes.value || (asked && isInputNode(asked) ? asked.attributes.value : '')
  const { publicKey } = AskedSchema.parse(JSON.parse(String(value)))
  const answer = trigger.isNew
    ? await startRegistration({ optionsJSON: publicKey as unknown as PublicKeyCredentialCreationOptionsJSON })
    : await startAuthentication({ optionsJSON: publicKey })
  return { field: trigger.field, answer: JSON.stringify(answer) }
}
