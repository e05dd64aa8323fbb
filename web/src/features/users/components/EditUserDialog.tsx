import { fullNameOf, type Person } from '@watchroom/shared/people'

import { FormDialog } from '../../../ui/dialog/FormDialog.tsx'
import { SwitchField } from '../../../ui/form/SwitchField.tsx'
import { useForm } from '../../../ui/form/useForm.ts'
import { showToast } from '../../../ui/toaster.ts'
import { updateUser } from '../queries.ts'
import { type UserFields as Fields, UserFormSchema } from '../userForm.ts'
import { UserFields } from './UserFields.tsx'

interface EditUserDialogProps {
  person: Person
  isSelf: boolean
  onClose: () => void
}

/** Changes who someone is and what they may. Deactivating ends their sessions and open pages at once. */
export function EditUserDialog({ person, isSelf, onClose }: EditUserDialogProps) {
  const initial: Fields = {
    firstName: person.firstName,
    lastName: person.lastName,
    email: person.email,
    role: person.role,
    active: person.state !== 'inactive',
  }
  const form = useForm({
    schema: UserFormSchema,
    initial,
    save: (user) => updateUser(person.id, user),
    onSaved: (_saved, user) => {
      showToast(`${fullNameOf(user)} updated successfully`)
      onClose()
    },
  })
  return (
    <FormDialog form={form} title="Edit User" action="Save" onClose={onClose}>
      <UserFields form={form} roleReason={isSelf ? 'Another administrator can change your role.' : undefined} />
      <SwitchField
        label="Active"
        help={
          isSelf
            ? 'Another administrator can deactivate your account.'
            : 'Off: can’t sign in. Open pages and access tokens stop at once.'
        }
        isReadOnly={isSelf}
        {...form.field('active')}
      />
    </FormDialog>
  )
}
