import { FormGroup, HTMLSelect } from '@blueprintjs/core'
import { useId } from 'react'

interface ChoiceProps {
  label: string
  /** Empty: nothing chosen yet. */
  value: string
  options: readonly { value: string; label: string }[]
  onChange: (value: string) => void
  /** Shown where nothing is chosen yet. */
  placeholder?: string
  error?: string | undefined
}

/** A labelled choice of a form, with what is wrong about it. */
export function Choice({ label, value, options, onChange, placeholder, error }: ChoiceProps) {
  const id = useId()
  return (
    <FormGroup
      label={label}
      labelFor={id}
      intent={error === undefined ? 'none' : 'danger'}
      helperText={error === undefined ? undefined : <span id={`${id}-error`}>{error}</span>}
    >
      <HTMLSelect
        id={id}
        fill
        value={value}
        aria-invalid={error !== undefined}
        aria-describedby={error === undefined ? undefined : `${id}-error`}
        onChange={(event) => onChange(event.currentTarget.value)}
      >
        {placeholder === undefined ? null : <option value="">{placeholder}</option>}
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </HTMLSelect>
    </FormGroup>
  )
}
