import { HTMLSelect, InputGroup } from '@blueprintjs/core'
import { EyeOff, EyeOpen } from '@blueprintjs/icons'
import { SECRET_MASK } from '@watchroom/shared/kernel'
import { useState } from 'react'

import { IconButton } from '../IconButton.tsx'
import { type Credential, type Source, SOURCES } from './credential.ts'
import { type ControlAttributes, Field, type FieldProps } from './Field.tsx'

import styles from './form.module.css'

interface CredentialParts {
  /** A text is hidden until someone asks for it. */
  isSecret: boolean
  placeholder?: string | undefined
  /** What is wrong with name or key of a reference. */
  errorAt?: ((part: 'name' | 'key') => string | undefined) | undefined
}

/** A value that is written here, or the place of a secret or config map that holds it. */
export function CredentialField({
  value,
  onChange,
  isSecret,
  placeholder,
  errorAt,
  isReadOnly = false,
  ...field
}: FieldProps<Credential> & CredentialParts) {
  return (
    <Field {...field}>
      {(control) => (
        <CredentialInput
          label={field.label}
          control={control}
          {...{ value, onChange, isSecret, placeholder, errorAt, isReadOnly }}
        />
      )}
    </Field>
  )
}

interface CredentialInputProps extends CredentialParts {
  label: string
  value: Credential
  onChange: (value: Credential) => void
  isReadOnly: boolean
  /** Without an id the control says its label itself. */
  control: Omit<ControlAttributes, 'id'> & { readonly id?: string }
}

/** The controls of a credential, for fields that hold several of them. */
export function CredentialInput(props: CredentialInputProps) {
  const { label, value, onChange, isReadOnly, control, errorAt } = props
  /** Typed before another source was chosen, in case someone comes back. */
  const [kept, setKept] = useState('')
  const changeSource = (source: Source): void => {
    if (value.source === 'value') setKept(value.text)
    onChange({ ...value, source, text: source === 'value' ? kept : '' })
  }
  return (
    <div className={styles['credential']} data-source={value.source}>
      <HTMLSelect
        fill
        aria-label={`${label}, source`}
        value={value.source}
        disabled={isReadOnly}
        options={[...SOURCES]}
        onChange={(event) =>
          changeSource(SOURCES.find((source) => source.value === event.currentTarget.value)?.value ?? 'value')
        }
      />
      {value.source === 'value' ? (
        <WrittenValue {...props} />
      ) : (
        (['name', 'key'] as const).map((part) => (
          <InputGroup
            key={part}
            fill
            {...(part === 'name' && control.id !== undefined ? { id: control.id } : {})}
            aria-label={`${label}, ${part}`}
            aria-invalid={errorAt?.(part) !== undefined}
            aria-describedby={control['aria-describedby']}
            placeholder={isReadOnly ? '' : part === 'name' ? 'Name' : 'Key'}
            autoComplete="off"
            spellCheck={false}
            value={value[part]}
            readOnly={isReadOnly}
            onValueChange={(text) => onChange({ ...value, [part]: text })}
          />
        ))
      )}
    </div>
  )
}

const storedText = (isReadOnly: boolean): string =>
  isReadOnly ? 'Stored, not shown' : 'Stored, not shown; type to replace'

/** A secret that the backend keeps stays as it is until someone types another one. */
function WrittenValue({
  label,
  value,
  onChange,
  isSecret,
  isReadOnly,
  placeholder = '',
  control,
}: CredentialInputProps) {
  const [isShown, setShown] = useState(false)
  const word = label.toLowerCase()
  const isStored = value.text === SECRET_MASK
  return (
    <InputGroup
      fill
      {...control}
      {...(control.id === undefined ? { 'aria-label': label } : {})}
      type={isSecret && !isShown ? 'password' : 'text'}
      autoComplete={isSecret ? 'new-password' : 'off'}
      placeholder={isStored ? storedText(isReadOnly) : isReadOnly ? '' : placeholder}
      value={isStored ? '' : value.text}
      readOnly={isReadOnly}
      onValueChange={(text) => onChange({ ...value, text })}
      {...(isSecret && !isStored
        ? {
            rightElement: (
              <IconButton
                icon={isShown ? <EyeOff /> : <EyeOpen />}
                label={isShown ? `Hide ${word}` : `Show ${word}`}
                onClick={() => setShown(!isShown)}
              />
            ),
          }
        : {})}
    />
  )
}
