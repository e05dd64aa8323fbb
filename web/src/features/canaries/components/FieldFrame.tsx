import { FormGroup } from '@blueprintjs/core'
import type { ReactNode } from 'react'

export interface FieldState {
  readonly id: string
  readonly error: string | undefined
  readonly isReadOnly: boolean
}

interface FieldFrameProps {
  id: string
  label: string
  help?: string | undefined
  error: string | undefined
  isRequired?: boolean
  /** The control has a label of its own, for example a switch. */
  isSelfLabelled?: boolean
  /** Several controls, together named like the field: the label belongs to none of them. */
  isGroup?: boolean
  children: ReactNode
}

/** What a control says of itself to assistive technology. */
export const describeField = (id: string, help: string | undefined, error: string | undefined) => ({
  'aria-invalid': error !== undefined,
  'aria-describedby': [error && `${id}-error`, help && `${id}-help`].filter(Boolean).join(' ') || undefined,
})

/** What every control of a field is given, beside its value. */
export interface ControlProps {
  id: string
  label: string
  isReadOnly: boolean
  described: ReturnType<typeof describeField>
}

/** A control with its label, what is wrong about it, and what to know about it. */
export function FieldFrame({ id, label, help, error, isRequired, isSelfLabelled, isGroup, children }: FieldFrameProps) {
  return (
    <FormGroup
      className="canary-field"
      label={isSelfLabelled ? undefined : label}
      {...(isGroup ? {} : { labelFor: id })}
      labelInfo={isRequired ? '(required)' : undefined}
      intent={error === undefined ? 'none' : 'danger'}
      helperText={
        error === undefined && help === undefined ? undefined : (
          <>
            {error === undefined ? null : (
              <span className="canary-field-error" id={`${id}-error`}>
                {error}
              </span>
            )}
            {help === undefined ? null : (
              <span className="canary-field-help" id={`${id}-help`}>
                {help}
              </span>
            )}
          </>
        )
      }
    >
      {children}
    </FormGroup>
  )
}
