import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'

import { errorText } from '../../../../api/request.ts'
import { toLabel } from '../../labels.ts'
import { hypothesisSearchQuery } from '../../queries.ts'
import { NEW_HYPOTHESIS } from './checkLink.ts'
import { SearchPicker } from './SearchPicker.tsx'

interface HypothesisPickerProps {
  incidentId: string
  value: string
  /** Title of the one to be made, when that is what `value` says. */
  newTitle: string
  /** @param newTitle empty for one that exists */
  onChange: (hypothesisId: string, newTitle: string) => void
  error?: string | undefined
}

/** A hypothesis of the chosen incident, or a new one. */
export function HypothesisPicker({ incidentId, value, newTitle, onChange, error }: HypothesisPickerProps) {
  const [search, setSearch] = useState('')
  const query = useQuery({ ...hypothesisSearchQuery(incidentId, search), placeholderData: keepPreviousData })
  const made = newTitle === '' ? [] : [{ id: NEW_HYPOTHESIS, label: newTitle, detail: 'New' }]
  const found = (query.data ?? []).map(({ id, title, type, status }) => ({
    id,
    label: title,
    detail: `${toLabel(type)}, ${toLabel(status).toLowerCase()}`,
  }))
  return (
    <SearchPicker
      legend="Hypothesis"
      placeholder="Search for hypothesis"
      search={search}
      onSearch={setSearch}
      isLoading={query.isFetching}
      failure={query.isError ? errorText(query.error) : null}
      emptyText="There are no hypotheses matching this criteria"
      options={[...made, ...found]}
      value={value}
      onChange={(id) => onChange(id, id === NEW_HYPOTHESIS ? newTitle : '')}
      error={error}
      create={
        newTitle !== '' && search.trim() === newTitle
          ? undefined
          : { label: 'Create hypothesis', onCreate: (title) => onChange(NEW_HYPOTHESIS, title) }
      }
    />
  )
}
