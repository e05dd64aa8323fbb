import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'

import { errorText } from '../../../../api/request.ts'
import { toLabel } from '../../labels.ts'
import { hypothesisSearchQuery } from '../../queries.ts'
import { SearchPicker } from './SearchPicker.tsx'

interface HypothesisPickerProps {
  incidentId: string
  value: string
  onChange: (hypothesisId: string) => void
  error?: string | undefined
}

/** A hypothesis of the chosen incident. */
export function HypothesisPicker({ incidentId, value, onChange, error }: HypothesisPickerProps) {
  const [search, setSearch] = useState('')
  const query = useQuery({ ...hypothesisSearchQuery(incidentId, search), placeholderData: keepPreviousData })
  return (
    <SearchPicker
      legend="Hypothesis"
      placeholder="Search for hypothesis"
      search={search}
      onSearch={setSearch}
      isLoading={query.isFetching}
      failure={query.isError ? errorText(query.error) : null}
      emptyText="There are no hypotheses matching this criteria"
      options={(query.data ?? []).map(({ id, title, type, status }) => ({
        id,
        label: title,
        detail: `${toLabel(type)}, ${toLabel(status).toLowerCase()}`,
      }))}
      value={value}
      onChange={onChange}
      error={error}
    />
  )
}
