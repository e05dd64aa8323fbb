import { useMayRead } from '../../../api/useMayRead.ts'
import { keyOfIncident, useIncidentRows } from '../../../live/useIncidentRows.ts'
import { EndlessRows } from '../../../ui/EndlessRows.tsx'
import { ALL, IncidentFilterSchema } from '../../../ui/incident/incidentFilters.ts'
import { IncidentFilters } from '../../../ui/incident/IncidentFilters.tsx'
import { IncidentRow } from '../../../ui/incident/IncidentRow.tsx'
import { useSearchState } from '../../../url/useSearchState.ts'

/** Incidents that the item is evidence in, for whoever may read incidents: those that are not over, unless someone asks for others. */
export function ItemIncidents({ configId }: { configId: string }) {
  return useMayRead()('incident', 'incidents') ? <Incidents configId={configId} /> : null
}

function Incidents({ configId }: { configId: string }) {
  const [filter] = useSearchState(IncidentFilterSchema)
  const found = useIncidentRows('config', configId, filter)
  const isAll = filter.incidentType === ALL && filter.incidentStatus === ALL
  return (
    <>
      <h2>{`Incidents${found.total ? ` (${found.total.toLocaleString()})` : ''}`}</h2>
      <IncidentFilters />
      <EndlessRows
        title="Incidents"
        found={found}
        keyOf={keyOfIncident}
        empty={isAll ? 'This item isn’t part of any incident.' : 'No incident matches these filters.'}
        renderRow={(incident) => <IncidentRow incident={incident} />}
      />
    </>
  )
}
