import { FormGroup, HTMLSelect, InputGroup, TextArea } from '@blueprintjs/core'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useId } from 'react'

import { CHOSEN_FIELDS, type FieldOption, integrationOptions } from './integrationOptions.ts'
import { instanceQuery, instancesQuery } from './queries.ts'
import { PARENTS } from './responderForm.ts'
import { FIELD_LABELS, type ResponderField, RESPONDERS, type ResponderType } from './responderTypes.ts'

const LONG_FIELDS: ReadonlySet<ResponderField> = new Set(['body', 'description'])

interface ResponderDetailsFormProps {
  readonly type: ResponderType
  readonly values: Readonly<Record<string, string>>
  /** Fields that the team's settings give and nobody may change. */
  readonly locked: ReadonlySet<string>
  readonly missing: ReadonlySet<ResponderField>
  readonly onChange: (field: ResponderField, value: string) => void
}

/** Fields of one responder type. */
export function ResponderDetailsForm({
  type,
  values,
  locked,
  missing,
  onChange,
}: ResponderDetailsFormProps): ReactNode {
  const optionsOf = useFieldOptions(type, values)
  return RESPONDERS[type].fields.map((field) => {
    const parent = PARENTS[field]
    const isWaiting = parent !== undefined && RESPONDERS[type].fields.includes(parent) && !values[parent]
    return (
      <DetailsField
        key={field}
        field={field}
        value={values[field] ?? ''}
        options={CHOSEN_FIELDS.has(field) ? optionsOf(field) : null}
        isDisabled={locked.has(field) || isWaiting}
        isMissing={missing.has(field)}
        onChange={(value) => onChange(field, value)}
      />
    )
  })
}

/** Nothing to choose from while the ticket system is not known, and when asking for it failed. */
function useFieldOptions(
  type: ResponderType,
  values: Readonly<Record<string, string>>,
): (field: ResponderField) => readonly FieldOption[] {
  const system = type === 'ms_planner' ? 'ms_planner' : 'jira'
  const instances = useQuery({ ...instancesQuery(system), enabled: type === 'jira' || type === 'ms_planner' })
  const instanceId = values['configType'] ?? ''
  const { data: config } = useQuery({ ...instanceQuery(instanceId), enabled: instanceId !== '' })
  return (field) =>
    field === 'configType'
      ? (instances.data ?? []).map(({ id, name }) => ({ value: id, label: name || id }))
      : integrationOptions(field, config, values)
}

interface DetailsFieldProps {
  readonly field: ResponderField
  readonly value: string
  /** Null for a field that is typed. */
  readonly options: readonly FieldOption[] | null
  readonly isDisabled: boolean
  readonly isMissing: boolean
  readonly onChange: (value: string) => void
}

function DetailsField({ field, value, options, isDisabled, isMissing, onChange }: DetailsFieldProps): ReactNode {
  const id = useId()
  const shared = {
    id,
    name: field,
    value,
    fill: true,
    disabled: isDisabled,
    'aria-invalid': isMissing,
    onChange: (event: { target: { value: string } }): void => onChange(event.target.value),
  }
  return (
    <FormGroup
      label={FIELD_LABELS[field]}
      labelFor={id}
      intent={isMissing ? 'danger' : 'none'}
      {...(isMissing ? { helperText: 'Please provide valid value' } : {})}
    >
      {options === null ? (
        LONG_FIELDS.has(field) ? (
          <TextArea {...shared} autoResize />
        ) : (
          <InputGroup {...shared} autoComplete="off" />
        )
      ) : (
        <HTMLSelect {...shared} options={[{ value: '', label: 'Select…' }, ...withCurrent(options, value)]} />
      )}
    </FormGroup>
  )
}

/** A fixed value shows even when the ticket system does not list it. */
function withCurrent(options: readonly FieldOption[], value: string): readonly FieldOption[] {
  return value === '' || options.some((option) => option.value === value)
    ? options
    : [...options, { value, label: value }]
}
