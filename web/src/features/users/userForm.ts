// The fields of a person, with the texts of the third specification, section 5.
import { ROLES } from '@watchroom/shared/access'
import { EmailSchema, type Person } from '@watchroom/shared/people'
import { z } from 'zod'

import { choiceOf } from '../../ui/form/rules.ts'

const given = (message: string) => z.string().trim().min(1, message)

export const UserFormSchema = z.object({
  firstName: given('Please provide valid first name'),
  lastName: given('Please provide valid last name'),
  email: given('Please provide valid email').refine(
    (email) => EmailSchema.safeParse(email).success,
    'Entered value does not match email format',
  ),
  role: choiceOf(ROLES, 'Please select any role'),
  /** Whether they may sign in. */
  active: z.boolean(),
})
export type UserFields = z.input<typeof UserFormSchema>
export type UserForm = z.output<typeof UserFormSchema>

export const NEW_USER: UserFields = { firstName: '', lastName: '', email: '', role: '', active: true }

export const toFields = ({ firstName, lastName, email, role, state }: Person): UserFields => ({
  firstName,
  lastName,
  email,
  role,
  active: state !== 'inactive',
})

/** For the comparison of two versions, line by line. */
export const toComparable = ({ firstName, lastName, email, role, active }: UserFields): string =>
  [
    `First name: ${firstName}`,
    `Last name: ${lastName}`,
    `Email: ${email}`,
    `Role: ${role}`,
    `Active: ${active ? 'yes' : 'no'}`,
  ].join('\n')

/** Both say the same of whatever the form holds: being here, and sessions, are no edits. */
export const isSameUser = (one: Person, other: Person): boolean =>
  toComparable(toFields(one)) === toComparable(toFields(other))
