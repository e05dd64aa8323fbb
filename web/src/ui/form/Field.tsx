import { FormGroup } from '@blueprintjs/core'
import { type ReactNode, useId } from 'react'

import styles from './form.module.css'

/** What every field of the kit takes. `FieldBinding` of `useForm` gives the first three; other owners of values give them too. */
export interface FieldProps<Value> {
  label: string
  value: Value
  onChange: (value: Value) => void
  error?: string | undefined
  /** What to know about it. Says the default, where there is one. */
  help?: string | undefined
  /** Said beside the label: what is optional, or what is required where almost everything is optional. */
  mark?: 'optional' | 'required' | undefined
  isReadOnly?: boolean | undefined
}

/** What a control says of itself to assistive technology. */
export interface ControlAttributes {
  readonly id: string
  readonly 'aria-invalid': boolean
  readonly 'aria-describedby': string | undefined
}

interface FieldFrameProps extends Pick<FieldProps<unknown>, 'label' | 'error' | 'help' | 'mark'> {
  /** Several controls, together named like the field: the label belongs to none of them. */
  isGroup?: boolean
  /** The control says the label itself, for example a switch. */
  isSelfLabelled?: boolean
  /** Of the control, where a link leads to it. */
  id?: string | undefined
  children: (control: ControlAttributes) => ReactNode
}

/** A control with its label, what is wrong about it, and what to know about it. */
export function Field({ label, error, help, mark, isGroup, isSelfLabelled, children, ...props }: FieldFrameProps) {
  const ownId = useId()
  const id = props.id ?? ownId
  const control = {
    id,
    'aria-invalid': error !== undefined,
    'aria-describedby': [error && `${id}-error`, help && `${id}-help`].filter(Boolean).join(' ') || undefined,
  }
  const fault =
    error === undefined ? null : (
      <span className={styles['error']} id={`${id}-error`}>
        {error}
      </span>
    )
  const hasHelper = help !== undefined || (fault !== null && !isGroup)
  const group = (
    <FormGroup
      className={`${styles['field']}`}
      {...(isSelfLabelled || isGroup ? {} : { label, labelFor: id })}
      labelInfo={mark === undefined ? undefined : `(${mark})`}
      helperText={
        hasHelper ? (
          <>
            {isGroup ? null : fault}
            {help === undefined ? null : (
              <span className={styles['help']} id={`${id}-help`}>
                {help}
              </span>
            )}
          </>
        ) : undefined
      }
    >
      {children(control)}
    </FormGroup>
  )
  if (!isGroup) return group
  return (
    <fieldset
      className={styles['group']}
      aria-describedby={control['aria-describedby']}
      data-faulty={error !== undefined || undefined}
      tabIndex={error === undefined ? undefined : -1}
    >
      <legend>
        {label}
        {mark === undefined ? null : <span className="wr-muted">{` (${mark})`}</span>}
      </legend>
      {/* Above the controls: a long list of them would leave it out of view. */}
      {fault}
      {group}
    </fieldset>
  )
}
