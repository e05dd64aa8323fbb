import { Switch } from '@blueprintjs/core'

import { Field, type FieldProps } from './Field.tsx'

import styles from './form.module.css'

interface SwitchFieldProps extends FieldProps<boolean> {
  /** What the switch says of itself behind its label, on and off. */
  words?: readonly [on: string, off: string]
}

/** On or off. */
export function SwitchField({ value, onChange, words, isReadOnly = false, ...field }: SwitchFieldProps) {
  return (
    <Field {...field} isSelfLabelled>
      {(control) => (
        <Switch
          {...control}
          className={`${styles['switch']}`}
          label={words === undefined ? field.label : `${field.label}: ${words[value ? 0 : 1].toLowerCase()}`}
          checked={value}
          disabled={isReadOnly}
          onChange={(event) => onChange(event.currentTarget.checked)}
        />
      )}
    </Field>
  )
}
