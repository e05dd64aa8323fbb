import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'

import { SelectField } from '../../../ui/form/SelectField.tsx'
import { TextField } from '../../../ui/form/TextField.tsx'
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
  readonly errorAt: (field: ResponderField) => string | undefined
  readonly onChange: (field: ResponderField, value: string) => void
}

/** Fields of one responder type. */
export function ResponderDetailsForm(props: ResponderDetailsFormProps): ReactNode {
  const { type, values, locked, errorAt, onChange } = props
  const optionsOf = useFieldOptions(type, values)
  return RESPONDERS[type].fields.map((field) => {
    const parent = PARENTS[field]
    const isWaiting = parent !== undefined && RESPONDERS[type].fields.includes(parent) && !values[parent]
    const shared = {
      label: FIELD_LABELS[field],
      value: values[field] ?? '',
      error: errorAt(field),
      isDisabled: locked.has(field) || isWaiting,
      onChange: (value: string) => onChange(field, value),
    }
    return CHOSEN_FIELDS.has(field) ? (
      <SelectField key={field} {...shared} placeholder="Select…" options={optionsOf(field)} />
    ) : (
      <TextField key={field} {...shared} isMultiline={LONG_FIELDS.has(field)} />
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
