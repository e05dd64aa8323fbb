import { fullNameOf, type Person } from '@watchroom/shared/people'

import { FormDialog } from '../../../ui/dialog/FormDialog.tsx'
import { FormConflict, outdatedNotice } from '../../../ui/form/FormConflict.tsx'
import { FormNotice } from '../../../ui/form/FormNotice.tsx'
import { SwitchField } from '../../../ui/form/SwitchField.tsx'
import { useEditedRow } from '../../../ui/form/useEditedRow.ts'
import { useForm } from '../../../ui/form/useForm.ts'
import { showToast } from '../../../ui/toaster.ts'
import { updateUser } from '../queries.ts'
import { isSameUser, toComparable, toFields, type UserForm, UserFormSchema } from '../userForm.ts'
import { UserFields } from './UserFields.tsx'

interface EditUserDialogProps {
  person: Person
  isSelf: boolean
  /** Asks for the list anew: it does not know yet what someone else saved. */
  onChanged: () => void
  onClose: () => void
}

/** Changes who someone is and what they may. Deactivating ends their sessions and open pages at once. */
export function EditUserDialog({ person, isSelf, onChanged, onClose }: EditUserDialogProps) {
  const form = useForm({
    schema: UserFormSchema,
    initial: toFields(person),
    save: (user): Promise<boolean> => edited.save(user),
    onSaved: (_saved, user) => {
      showToast(`${fullNameOf(user)} updated successfully`)
      onClose()
    },
  })
  const edited = useEditedRow<Person, UserForm>({
    current: person,
    isNewer: (row, than) => !isSameUser(row, than),
    isDirty: form.isDirty,
    onReset: (row) => form.reset(toFields(row)),
    save: async (over, user) => {
      const result = await updateUser(over, user)
      if (result.kind === 'changed') onChanged()
      return result
    },
    goneText: 'Someone deleted this user while you were editing it.',
  })
  const notice = outdatedNotice('user', edited, form)
  return (
    <FormDialog
      form={form}
      title="Edit User"
      action="Save"
      notice={notice ? <FormNotice notice={notice} /> : null}
      onClose={onClose}
    >
      <UserFields
        form={form}
        roleReason={
          person.providerDecides === 'profile-and-role'
            ? 'Your identity provider decides the role at each sign-in.'
            : isSelf
              ? 'Another administrator can change your role.'
              : undefined
        }
        profileReason={
          person.providerDecides === 'nothing'
            ? undefined
            : 'Your identity provider decides name and email at each sign-in.'
        }
      />
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
      <FormConflict
        what="user"
        form={form}
        edited={edited}
        mine={toComparable(form.values)}
        toText={(row) => toComparable(toFields(row))}
      />
    </FormDialog>
  )
}
