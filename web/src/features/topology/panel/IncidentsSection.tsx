import type { Component } from '@watchroom/shared/topology'

import { keyOfIncident, useIncidentRows } from '../../../live/useIncidentRows.ts'
import { useOnChange } from '../../../live/useOnChange.ts'
import { EndlessSection } from '../../../ui/EndlessSection.tsx'
import { ALL, UNRESOLVED } from '../../../ui/incident/incidentFilters.ts'
import { IncidentFilters } from '../../../ui/incident/IncidentFilters.tsx'
import { IncidentRow } from '../../../ui/incident/IncidentRow.tsx'
import { useSearchState } from '../../../url/useSearchState.ts'
import { countOpenIncidents, hasParts, toPartsNote } from '../components/SummaryCounts.tsx'
import { PanelSearchSchema } from './search.ts'

/** Cards count the incidents of parts, too; here are those that the component itself is evidence in. */
function Scope({ component }: { component: Component }) {
  if (!hasParts(component)) return null
  const open = countOpenIncidents(component)
  return (
    <p className="wr-muted">
      {`Incidents of this component itself. Including its parts, ${open === 0 ? 'none' : open.toLocaleString()} ${open === 1 ? 'is' : 'are'} open.`}
    </p>
  )
}

/** Incidents that the component is evidence in: those that are not over, unless someone asks for others. */
export function IncidentsSection({ component }: { component: Component }) {
  const [filter] = useSearchState(PanelSearchSchema)
  const { incidentType: type, incidentStatus: status } = filter
  const found = useIncidentRows('component', component.id, filter)
  useOnChange([component], found.onStale)
  return (
    <EndlessSection
      name="incidents"
      title="Incidents"
      found={found}
      keyOf={keyOfIncident}
      note={
        type === ALL && status === UNRESOLVED
          ? toPartsNote(component, countOpenIncidents(component), found.total)
          : undefined
      }
      empty={
        type === ALL && status === ALL
          ? 'This component isn’t part of any incident.'
          : 'No incident matches these filters.'
      }
      renderRow={(incident) => <IncidentRow incident={incident} />}
    >
      <IncidentFilters />
      <Scope component={component} />
    </EndlessSection>
  )
}
