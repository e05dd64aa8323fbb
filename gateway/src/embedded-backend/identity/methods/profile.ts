// Names and the address of a person.
import { z } from 'zod'

import { again, type FlowBody } from '../flows/flowDefinition.ts'
import { type FlowMessage, MESSAGES } from '../flows/messages.ts'
import { type FlowNode, input, LABELS, submit } from '../flows/nodes.ts'
import { normalEmail, type People, type Traits } from '../people/createPeople.ts'
import { isPrintable, MAX_NAME_LENGTH } from '../people/personName.ts'
import type { SettingsMethod } from './settingsMethod.ts'

/** RFC 5321. */
const MAX_EMAIL_LENGTH = 254

const text = z.string().trim().catch('')
const name = z.object({ first: text, last: text }).catch({ first: '', last: '' })
const BodySchema = z.object({
  traits: z.object({ email: text, name }).catch({ email: '', name: { first: '', last: '' } }),
})
const EmailSchema = z.email()

export function readTraits(body: FlowBody): Traits {
  const { email, name: given } = BodySchema.parse(body).traits
  return { email, firstName: given.first, lastName: given.last }
}

/** What was typed, by the name of its node. */
export const traitValues = ({ email, firstName, lastName }: Traits): Record<string, string> => ({
  'traits.email': email,
  'traits.name.first': firstName,
  'traits.name.last': lastName,
})

/** @returns what is wrong, by the name of the node; empty when nothing is */
export function judgeTraits({ email, firstName, lastName }: Traits): Record<string, FlowMessage[]> {
  const badEmail = judgeEmail(email)
  const [badFirst, badLast] = [judgeName(firstName), judgeName(lastName)]
  return {
    ...(badEmail ? { 'traits.email': [badEmail] } : {}),
    ...(badFirst ? { 'traits.name.first': [badFirst] } : {}),
    ...(badLast ? { 'traits.name.last': [badLast] } : {}),
  }
}

function judgeName(name: string): FlowMessage | null {
  if (name.length > MAX_NAME_LENGTH) return MESSAGES.tooLong(MAX_NAME_LENGTH)
  return isPrintable(name) ? null : MESSAGES.unprintableName
}

export function judgeEmail(email: string, field = 'email'): FlowMessage | null {
  if (email === '') return MESSAGES.missing(field)
  return email.length <= MAX_EMAIL_LENGTH && EmailSchema.safeParse(email).success ? null : MESSAGES.badEmail(email)
}

/** Inputs for a person's traits. */
export const traitNodes = (group: string, values: Readonly<Record<string, string>>): FlowNode[] => [
  input(
    group,
    { name: 'traits.email', type: 'email', value: values['traits.email'] ?? '', required: true, autocomplete: 'email' },
    LABELS.email,
  ),
  input(
    group,
    { name: 'traits.name.first', type: 'text', value: values['traits.name.first'] ?? '', autocomplete: 'given-name' },
    LABELS.firstName,
  ),
  input(
    group,
    { name: 'traits.name.last', type: 'text', value: values['traits.name.last'] ?? '', autocomplete: 'family-name' },
    LABELS.lastName,
  ),
]

export function createProfile(people: People): SettingsMethod {
  return {
    name: 'profile',
    // Mail to another address recovers the account.
    isSensitive: (body, owner) => normalEmail(readTraits(body).email) !== normalEmail(owner.email),

    toKeep: (body) => traitValues(readTraits(body)),

    nodes: async ({ state }, owner) => [
      ...traitNodes('profile', { ...traitValues(owner), ...state.values }),
      submit('profile', LABELS.save),
    ],

    save: async ({ body }, { identity }) => {
      const traits = readTraits(body)
      const values = traitValues(traits)
      const fieldMessages = judgeTraits(traits)
      if (Object.keys(fieldMessages).length > 0) return again({ values, fieldMessages })
      return (await people.setOwnTraits(identity.id, traits)) ? 'saved' : again({ values, messages: [MESSAGES.taken] })
    },
  }
}
