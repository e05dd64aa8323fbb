import { HTMLSelect } from '@blueprintjs/core'
import type { ReactNode } from 'react'

import { Field, type FieldProps } from './Field.tsx'

export interface Choice {
  readonly value: string
  readonly label: string
}

interface SelectFieldProps extends FieldProps<string> {
  /** Of a list, or as option elements where they come in another shape. */
  options: readonly (Choice | string)[] | ReactNode
  /** Shown while nothing is chosen, which is the empty text. */
  placeholder?: string
  isDisabled?: boolean
}

/** One of a few. A value that is not among them is shown as it is. */
export function SelectField({
  value,
  onChange,
  options,
  placeholder,
  isReadOnly,
  isDisabled,
  ...field
}: SelectFieldProps) {
  const choices = isList(options) ? options.map(toChoice) : null
  const isKnown = value === '' || choices === null || choices.some((choice) => choice.value === value)
  return (
    <Field {...field}>
      {(control) => (
        <HTMLSelect
          fill
          {...control}
          value={value}
          disabled={isReadOnly === true || isDisabled === true}
          onChange={(event) => onChange(event.currentTarget.value)}
        >
          {placeholder === undefined ? null : <option value="">{placeholder}</option>}
          {choices === null
            ? (options as ReactNode)
            : choices.map((choice) => (
                <option key={choice.value} value={choice.value}>
                  {choice.label}
                </option>
              ))}
          {isKnown ? null : <option value={value}>{value}</option>}
        </HTMLSelect>
      )}
    </Field>
  )
}

const isList = (options: SelectFieldProps['options']): options is readonly (Choice | string)[] => Array.isArray(options)

const toChoice = (option: Choice | string): Choice =>
  typeof option === 'string' ? { value: option, label: option } : option
