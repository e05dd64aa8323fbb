import { highestRole, limitRoles, ROLES } from '@watchroom/shared/access'
import { z } from 'zod'

import { useSession } from '../../api/session.tsx'
import { FormDialog } from '../../ui/dialog/FormDialog.tsx'
import { choiceOf, requiredText } from '../../ui/form/rules.ts'
import { SelectField } from '../../ui/form/SelectField.tsx'
import { TextField } from '../../ui/form/TextField.tsx'
import { useForm } from '../../ui/form/useForm.ts'
import { createAccessToken } from './queries.ts'

const LIFETIMES = [
  { value: '7', label: '7 days' },
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
  { value: '365', label: '1 year' },
  { value: 'never', label: 'Never' },
] as const

const TokenFormSchema = z.object({
  name: requiredText.max(100),
  role: choiceOf(ROLES),
  expires: choiceOf(LIFETIMES.map(({ value }) => value)),
})

interface CreateTokenDialogProps {
  onCreated: (made: { name: string; token: string }) => void
  onClose: () => void
}

/** A token may do what its owner may, or less. */
export function CreateTokenDialog({ onCreated, onClose }: CreateTokenDialogProps) {
  const own = highestRole(useSession().roles)
  const initial: z.input<typeof TokenFormSchema> = { name: '', role: own, expires: '90' }
  const form = useForm({
    schema: TokenFormSchema,
    initial,
    save: ({ name, role, expires }) =>
      createAccessToken({
        name,
        role,
        days: expires === 'never' ? null : Number(expires),
      }),
    onSaved: (token, { name }) => onCreated({ name, token }),
  })
  return (
    <FormDialog form={form} title="Create access token" action="Create" onClose={onClose}>
      <TextField
        label="Name"
        isFirst
        maxLength={100}
        help="What you use it for, for example deploy."
        {...form.field('name')}
      />
      <SelectField
        label="Role"
        options={limitRoles(ROLES, own)}
        help="It keeps this role when yours rises, and never has more permissions than you."
        {...form.field('role')}
      />
      <SelectField label="Expires after" options={LIFETIMES} {...form.field('expires')} />
    </FormDialog>
  )
}
