import { fullNameOf, type Person } from '@watchroom/shared/people'

import { FormDialog } from '../../../ui/dialog/FormDialog.tsx'
import { useForm } from '../../../ui/form/useForm.ts'
import { showErrorToast, showToast } from '../../../ui/toaster.ts'
import { inviteUser, type NewInvitation, setRole } from '../queries.ts'
import { NEW_USER, type UserForm, UserFormSchema } from '../userForm.ts'
import { UserFields } from './UserFields.tsx'

export interface SentInvitation {
  readonly name: string
  readonly email: string
  readonly link: string
}

interface InviteUserDialogProps {
  /** Everyone who has an account. */
  people: readonly Person[]
  onInvited: (invitation: SentInvitation) => void
  onClose: () => void
}

/** Invites someone; who has an account already is given the role instead (third specification, section 4). */
export function InviteUserDialog({ people, onInvited, onClose }: InviteUserDialogProps) {
  const save = async (user: UserForm): Promise<NewInvitation | null> => {
    const known = people.find(({ email }) => email.toLowerCase() === user.email.toLowerCase())
    if (!known) return inviteUser(user)
    await setRole(known.id, user.role)
    return null
  }
  const form = useForm({
    schema: UserFormSchema,
    initial: NEW_USER,
    save,
    onSaved: (made, user) => {
      const name = fullNameOf(user)
      if (made === null) {
        showToast(`${user.email} already has an account. The role is ${user.role} now`)
        onClose()
        return
      }
      showToast(`${name} invited successfully`)
      if (made.roleFailure !== null)
        showErrorToast(`${name} doesn’t have the role ${user.role} yet: ${made.roleFailure}`)
      onInvited({ name, email: user.email, link: made.link })
    },
  })
  return (
    <FormDialog form={form} title="Invite User" action="Invite" onClose={onClose}>
      <UserFields form={form} />
    </FormDialog>
  )
}
