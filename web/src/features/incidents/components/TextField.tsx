import { FormGroup, InputGroup, TextArea } from '@blueprintjs/core'
import { useId } from 'react'

interface TextFieldProps {
  label: string
  value: string
  onChange: (value: string) => void
  isOptional?: boolean
  isMultiline?: boolean
  /** Where typing starts when the form opens. */
  isFirst?: boolean
  error?: string | undefined
}

/** A labelled text of a form, with what is wrong about it. */
export function TextField({ label, value, onChange, isOptional, isMultiline, isFirst, error }: TextFieldProps) {
  const id = useId()
  const field = {
    id,
    value,
    fill: true,
    intent: error === undefined ? ('none' as const) : ('danger' as const),
    'aria-invalid': error !== undefined,
    'aria-describedby': error === undefined ? undefined : `${id}-error`,
  }
  return (
    <FormGroup
      label={label}
      labelFor={id}
      labelInfo={isOptional ? '(optional)' : undefined}
      intent={error === undefined ? 'none' : 'danger'}
      helperText={error === undefined ? undefined : <span id={`${id}-error`}>{error}</span>}
    >
      {isMultiline ? (
        <TextArea {...field} rows={4} onChange={(event) => onChange(event.currentTarget.value)} />
      ) : (
        <InputGroup
          {...field}
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- a dialog opened to type into starts in its first field
          autoFocus={isFirst}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      )}
    </FormGroup>
  )
}
