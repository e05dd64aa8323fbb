import { useQuery } from '@tanstack/react-query'
import { toLabel } from '@watchroom/shared/incidents'
import { useState } from 'react'

import { PickField, type PickOption } from '../../../ui/form/PickField.tsx'
import type { FieldBinding } from '../../../ui/form/useForm.ts'
import { usePicked } from '../../../ui/form/usePicked.ts'
import { type LinkFields, NEW_HYPOTHESIS } from '../linkForm.ts'
import { type FoundHypothesis, hypothesisQuery, hypothesisSearchQuery } from '../queries.ts'

interface HypothesisPickerProps extends FieldBinding<LinkFields['hypothesis']> {
  incidentId: string
}

/** A hypothesis of the chosen incident, or a new one. */
export function HypothesisPicker({ incidentId, value, onChange, error }: HypothesisPickerProps) {
  const [search, setSearch] = useState('')
  const query = useQuery(hypothesisSearchQuery(incidentId, search))
  const made = value.title === '' ? [] : [{ id: NEW_HYPOTHESIS, label: value.title, detail: 'New' }]
  const found = (query.data?.found ?? []).map(toOption)
  // One that was chosen before the other way was looked at may be older than all that are listed.
  const picked = usePicked(
    { value: value.id, onChange: (id) => onChange({ id, title: id === NEW_HYPOTHESIS ? value.title : '' }) },
    [...made, ...found],
  )
  const { data: chosen } = useQuery({ ...hypothesisQuery(value.id), enabled: !picked.isListed && !query.isPending })
  return (
    <PickField
      label="Hypothesis"
      placeholder="Search for hypothesis"
      search={search}
      onSearch={setSearch}
      query={query}
      emptyText="There are no hypotheses matching this criteria"
      help={query.data?.hasMore ? 'Only the newest are listed. Search for others.' : undefined}
      value={value.id}
      {...picked.bind(chosen ? toOption(chosen) : { label: 'The chosen hypothesis' })}
      error={error}
      create={
        value.title !== '' && search.trim() === value.title
          ? undefined
          : { label: 'Create hypothesis', onCreate: (title) => onChange({ id: NEW_HYPOTHESIS, title }) }
      }
    />
  )
}

const toOption = ({ id, title, type, status }: FoundHypothesis): PickOption => ({
  id,
  label: title,
  detail: `${toLabel(type)}, ${toLabel(status).toLowerCase()}`,
})
