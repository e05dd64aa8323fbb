import { assertNever, SECRET_MASK } from '@watchroom/shared/kernel'
import {
  type ConnectionField,
  type ConnectionSummary,
  type ConnectionType,
  isShown,
} from '@watchroom/shared/settings/connections'

import { type Credential, NO_CREDENTIAL } from '../../../ui/form/credential.ts'
import { CredentialField } from '../../../ui/form/CredentialField.tsx'
import { FieldGrid } from '../../../ui/form/FieldGrid.tsx'
import { SelectField } from '../../../ui/form/SelectField.tsx'
import { SwitchField } from '../../../ui/form/SwitchField.tsx'
import { TextField } from '../../../ui/form/TextField.tsx'
import type { Form } from '../../../ui/form/useForm.ts'
import { type ConnectionFields, type FieldValue, textOf, toPlain } from '../connectionForm.ts'
import { StoredValue } from './StoredValue.tsx'

interface ConnectionFormFieldsProps {
  type: ConnectionType
  form: Form<ConnectionFields>
  /** The stored row; null while it is new. */
  row: ConnectionSummary | null
  isReadOnly: boolean
}

/** Name, namespace, and the fields of the type. */
export function ConnectionFormFields({ type, form, row, isReadOnly }: ConnectionFormFieldsProps) {
  const isLocked = isReadOnly || row !== null
  const values = toPlain(form.values)
  const bind = (name: string) => ({
    value: textOf(form.values[name]),
    onChange: (value: string) => form.set(name, value),
    error: form.errorAt(name),
  })
  return (
    <>
      <FieldGrid>
        <TextField label="Name" {...bind('name')} maxLength={256} isFirst isReadOnly={isLocked} />
        <TextField label="Namespace" {...bind('namespace')} maxLength={256} isReadOnly={isLocked} />
      </FieldGrid>
      {type.fields
        .filter((field) => isShown(field, values))
        .map((field) => (
          <OneField
            key={field.name}
            field={field}
            value={form.values[field.name] ?? ''}
            about={row?.credentials.find(({ place }) => place === field.place)}
            isReadOnly={isReadOnly}
            errorAt={(part) => form.errorAt(part === undefined ? field.name : `${field.name}.${part}`)}
            onChange={(value) => form.set(field.name, value)}
          />
        ))}
    </>
  )
}

interface OneFieldProps {
  field: ConnectionField
  value: FieldValue
  about: ConnectionSummary['credentials'][number] | undefined
  isReadOnly: boolean
  errorAt: (part?: 'name' | 'key') => string | undefined
  onChange: (value: FieldValue) => void
}

function OneField({ field, value, about, isReadOnly, errorAt, onChange }: OneFieldProps) {
  const { label, kind, isRequired, choices, placeholder, help } = field
  const shared = {
    label,
    error: errorAt(),
    help: isReadOnly ? undefined : help,
    mark: isRequired || isReadOnly ? undefined : ('optional' as const),
    isReadOnly,
  }
  if (isStored(value)) {
    const handleReplace = (): void => onChange(kind === 'secret' ? NO_CREDENTIAL : '')
    return <StoredValue {...shared} about={about} onReplace={handleReplace} />
  }
  switch (kind) {
    case 'switch':
      return <SwitchField {...shared} mark={undefined} value={value === true} onChange={onChange} />
    case 'choice':
      return (
        <SelectField
          {...shared}
          value={textOf(value)}
          options={choices}
          {...(placeholder === undefined ? {} : { placeholder })}
          onChange={onChange}
        />
      )
    case 'secret':
      return <CredentialField {...shared} isSecret value={value as Credential} errorAt={errorAt} onChange={onChange} />
    case 'key':
      return <TextField {...shared} isMultiline isCode value={textOf(value)} onChange={onChange} />
    case 'text':
    case 'number':
      return (
        <TextField
          {...shared}
          value={textOf(value)}
          placeholder={placeholder}
          isSpelled={false}
          inputMode={kind === 'number' ? 'numeric' : 'text'}
          onChange={onChange}
        />
      )
    default:
      return assertNever(kind, 'kind of field')
  }
}

const isStored = (value: FieldValue): boolean =>
  value === SECRET_MASK || (typeof value === 'object' && value.source === 'value' && value.text === SECRET_MASK)
