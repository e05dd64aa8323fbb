import { InputGroup, TextArea } from '@blueprintjs/core'
import type { HTMLInputTypeAttribute, ReactElement } from 'react'

import { Field, type FieldProps } from './Field.tsx'

interface TextFieldProps extends FieldProps<string> {
  placeholder?: string | undefined
  maxLength?: number
  /** Grows with its text. */
  isMultiline?: boolean
  /** Written for a machine: one width for all letters, no spelling. */
  isCode?: boolean
  /** False: words that no dictionary has. */
  isSpelled?: boolean
  isDisabled?: boolean
  /** Where typing starts when the form opens. */
  isFirst?: boolean
  onBlur?: () => void
  type?: HTMLInputTypeAttribute
  inputMode?: 'decimal' | 'numeric' | 'text'
  /** What a browser may fill in; nothing by default. */
  autoComplete?: string
  /** At the end of the line, for example a unit. */
  rightElement?: ReactElement
}

/** A text. */
export function TextField({ isReadOnly = false, isDisabled = false, ...props }: TextFieldProps) {
  const { value, onChange, placeholder, maxLength, isMultiline, isCode = false, isFirst = false } = props
  const shared = {
    value,
    fill: true,
    readOnly: isReadOnly,
    disabled: isDisabled,
    spellCheck: !isCode && props.isSpelled !== false,
    ...(props.onBlur === undefined ? {} : { onBlur: props.onBlur }),
    ...(maxLength === undefined ? {} : { maxLength }),
    ...(placeholder === undefined || isReadOnly ? {} : { placeholder }),
    ...(isCode ? { className: 'wr-mono' } : {}),
    autoFocus: isFirst && !isReadOnly,
  }
  return (
    <Field {...props}>
      {(control) =>
        isMultiline ? (
          <TextArea
            {...shared}
            {...control}
            rows={3}
            autoResize
            onChange={(event) => onChange(event.currentTarget.value)}
          />
        ) : (
          <InputGroup
            {...shared}
            {...control}
            type={props.type ?? 'text'}
            autoComplete={props.autoComplete ?? 'off'}
            {...(props.inputMode === undefined ? {} : { inputMode: props.inputMode })}
            {...(props.rightElement === undefined ? {} : { rightElement: props.rightElement })}
            onChange={(event) => onChange(event.currentTarget.value)}
          />
        )
      }
    </Field>
  )
}
