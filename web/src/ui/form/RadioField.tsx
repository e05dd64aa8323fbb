import { Radio } from '@blueprintjs/core'
import { type ReactNode, useId } from 'react'

import { Field, type FieldProps } from './Field.tsx'

interface RadioFieldProps extends FieldProps<string> {
  options: readonly { readonly value: string; readonly label: ReactNode }[]
}

/** One of a few that are all in sight. Empty: none chosen. */
export function RadioField({ value, onChange, options, isReadOnly = false, ...field }: RadioFieldProps) {
  const name = useId()
  return (
    <Field {...field} isGroup>
      {() =>
        options.map((option) => (
          <Radio
            key={option.value}
            name={name}
            value={option.value}
            checked={option.value === value}
            disabled={isReadOnly}
            labelElement={option.label}
            onChange={() => onChange(option.value)}
          />
        ))
      }
    </Field>
  )
}
