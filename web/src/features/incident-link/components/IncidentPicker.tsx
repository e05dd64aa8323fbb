import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'

import { PickField, type PickOption } from '../../../ui/form/PickField.tsx'
import type { FieldBinding } from '../../../ui/form/useForm.ts'
import { usePicked } from '../../../ui/form/usePicked.ts'
import { IncidentStatusTag } from '../../../ui/IncidentStatusTag.tsx'
import { type FoundIncident, incidentQuery, incidentSearchQuery } from '../queries.ts'

interface IncidentPickerProps extends FieldBinding<string> {
  /** Called with a title to create a new incident instead. */
  onCreate: (title: string) => void
}

/** An incident that exists. */
export function IncidentPicker({ onCreate, ...binding }: IncidentPickerProps) {
  const [search, setSearch] = useState('')
  const query = useQuery(incidentSearchQuery(search))
  const found = (query.data?.rows ?? []).map(toOption)
  // The one that was chosen beforehand may be older than all that are listed.
  const picked = usePicked(binding, found)
  const { data: chosen, isPending } = useQuery({
    ...incidentQuery(binding.value),
    enabled: !picked.isListed && !query.isPending,
  })
  return (
    <PickField
      {...binding}
      {...picked.bind(chosen ? toOption(chosen) : { label: isPending ? '…' : 'The incident of the link' })}
      label="Incident"
      placeholder="Search for incident"
      search={search}
      onSearch={setSearch}
      query={query}
      emptyText="There are no incidents matching this criteria"
      create={{ label: 'Create incident', onCreate }}
    />
  )
}

const toOption = ({ id, incident_id, title, status }: FoundIncident): PickOption => ({
  id,
  label: `${incident_id} ${title}`,
  detail: <IncidentStatusTag status={status} />,
})
