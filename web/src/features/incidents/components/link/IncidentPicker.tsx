import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'

import { errorText } from '../../../../api/request.ts'
import { incidentSearchQuery } from '../../queries.ts'
import { IncidentStatusTag } from '../list/IncidentStatusTag.tsx'
import { SearchPicker } from './SearchPicker.tsx'

interface IncidentPickerProps {
  value: string
  onChange: (incidentId: string) => void
  error?: string | undefined
  /** A new incident with this title is wanted instead. */
  onCreate: (title: string) => void
}

/** An incident that exists. */
export function IncidentPicker({ value, onChange, error, onCreate }: IncidentPickerProps) {
  const [search, setSearch] = useState('')
  const query = useQuery({ ...incidentSearchQuery(search), placeholderData: keepPreviousData })
  return (
    <SearchPicker
      legend="Incident"
      placeholder="Search for incident"
      search={search}
      onSearch={setSearch}
      isLoading={query.isFetching}
      failure={query.isError ? errorText(query.error) : null}
      emptyText="There are no incidents matching this criteria"
      options={(query.data ?? []).map(({ id, incident_id, title, status }) => ({
        id,
        label: `${incident_id} ${title}`,
        detail: <IncidentStatusTag status={status} />,
      }))}
      value={value}
      onChange={onChange}
      error={error}
      create={{ label: 'Create incident', onCreate }}
    />
  )
}
