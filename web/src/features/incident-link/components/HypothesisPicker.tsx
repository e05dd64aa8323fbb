import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { toLabel } from '@watchroom/shared/incidents'
import { useState } from 'react'

import { errorText } from '../../../api/request.ts'
import { PickField, type PickOption } from '../../../ui/form/PickField.tsx'
import type { FieldBinding } from '../../../ui/form/useForm.ts'
import { type LinkFields, NEW_HYPOTHESIS } from '../linkForm.ts'
import { type FoundHypothesis, hypothesisQuery, hypothesisSearchQuery } from '../queries.ts'

interface HypothesisPickerProps extends FieldBinding<LinkFields['hypothesis']> {
  incidentId: string
}

/** A hypothesis of the chosen incident, or a new one. */
export function HypothesisPicker({ incidentId, value, onChange, error }: HypothesisPickerProps) {
  const [search, setSearch] = useState('')
  const query = useQuery({ ...hypothesisSearchQuery(incidentId, search), placeholderData: keepPreviousData })
  const made = value.title === '' ? [] : [{ id: NEW_HYPOTHESIS, label: value.title, detail: 'New' }]
  const found = (query.data?.found ?? []).map(toOption)
  // One that was chosen before the other way was looked at may be older than all that are listed.
  const [initial] = useState(value.id)
  const isListed =
    initial === '' || initial === NEW_HYPOTHESIS || initial !== value.id || found.some(({ id }) => id === initial)
  const { data: chosen } = useQuery({ ...hypothesisQuery(initial), enabled: !isListed && !query.isPending })
  const kept: PickOption[] = isListed
    ? []
    : [chosen ? toOption(chosen) : { id: initial, label: 'The chosen hypothesis', detail: 'Chosen' }]
  return (
    <PickField
      label="Hypothesis"
      placeholder="Search for hypothesis"
      search={search}
      onSearch={setSearch}
      isLoading={query.isFetching}
      failure={query.isError ? errorText(query.error) : null}
      emptyText="There are no hypotheses matching this criteria"
      options={[...made, ...kept, ...found]}
      help={query.data?.hasMore ? 'Only the newest are listed. Search for others.' : undefined}
      value={value.id}
      onChange={(id) => onChange({ id, title: id === NEW_HYPOTHESIS ? value.title : '' })}
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
