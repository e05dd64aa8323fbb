import { ROLES } from '@watchroom/shared/access'

import { FieldRow } from '../../../ui/form/FieldRow.tsx'
import { SelectField } from '../../../ui/form/SelectField.tsx'
import { TextField } from '../../../ui/form/TextField.tsx'
import type { Form } from '../../../ui/form/useForm.ts'
import type { UserFields as Fields } from '../userForm.ts'

interface UserFieldsProps {
  form: Form<Fields>
  /** Why the role stays as it is. */
  roleReason?: string | undefined
  /** Why names and address stay as they are. */
  profileReason?: string | undefined
}

export function UserFields({ form, roleReason, profileReason }: UserFieldsProps) {
  const isReadOnly = profileReason !== undefined
  return (
    <>
      <FieldRow>
        <TextField label="First name" isFirst isSpelled={false} isReadOnly={isReadOnly} {...form.field('firstName')} />
        <TextField label="Last name" isSpelled={false} isReadOnly={isReadOnly} {...form.field('lastName')} />
      </FieldRow>
      <TextField
        label="Email"
        type="email"
        isSpelled={false}
        isReadOnly={isReadOnly}
        help={profileReason}
        {...form.field('email')}
      />
      <SelectField
        label="Role"
        placeholder="Choose a role"
        options={ROLES}
        isReadOnly={roleReason !== undefined}
        help={roleReason}
        {...form.field('role')}
      />
    </>
  )
}
