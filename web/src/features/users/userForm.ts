// The fields of a person, with the texts of the third specification, section 5.
import { ROLES } from '@watchroom/shared/access'
import { EmailSchema } from '@watchroom/shared/people'
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
