import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'

import { errorText } from '../../../api/request.ts'
import { PickField } from '../../../ui/form/PickField.tsx'
import type { FieldBinding } from '../../../ui/form/useForm.ts'
import { IncidentStatusTag } from '../../../ui/IncidentStatusTag.tsx'
import { incidentSearchQuery } from '../queries.ts'

interface IncidentPickerProps extends FieldBinding<string> {
  /** A new incident with this title is wanted instead. */
  onCreate: (title: string) => void
}

/** An incident that exists. */
export function IncidentPicker({ onCreate, ...binding }: IncidentPickerProps) {
  const [search, setSearch] = useState('')
  const query = useQuery({ ...incidentSearchQuery(search), placeholderData: keepPreviousData })
  return (
    <PickField
      {...binding}
      label="Incident"
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
      create={{ label: 'Create incident', onCreate }}
    />
  )
}
