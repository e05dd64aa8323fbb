import { Link } from '@tanstack/react-router'
import { INCIDENT_STATUS_OPTIONS, INCIDENT_TYPE_OPTIONS, toLabel } from '@watchroom/shared/incidents'
import { incidentsTopic } from '@watchroom/shared/protocol'
import type { Component } from '@watchroom/shared/topology'

import { useEndlessRows } from '../../../api/useEndlessRows.ts'
import { useOnChange } from '../../../live/useOnChange.ts'
import { useTopic } from '../../../live/useTopic.ts'
import { EndlessSection } from '../../../ui/EndlessSection.tsx'
import { SelectField } from '../../../ui/form/SelectField.tsx'
import { IncidentStatusTag } from '../../../ui/IncidentStatusTag.tsx'
import { SeverityBars } from '../../../ui/SeverityBars.tsx'
import { TimeAgo } from '../../../ui/TimeAgo.tsx'
import { useSearchState } from '../../../url/useSearchState.ts'
import { countOpenIncidents, hasParts, toPartsNote } from '../components/SummaryCounts.tsx'
import { PanelSearchSchema, UNRESOLVED } from './search.ts'
import { incidentTable } from './tables.ts'

import styles from './panel.module.css'

const ALL = { value: 'all', label: 'All' }
const STATUS_OPTIONS = [ALL, { value: UNRESOLVED, label: 'Unresolved' }, ...INCIDENT_STATUS_OPTIONS]
const NO_PARAMS = {}
const { incidentType, incidentStatus } = PanelSearchSchema.shape

function toStatusFilters(status: string): readonly string[] {
  if (status === ALL.value) return []
  return [status === UNRESOLVED ? 'status=not.in.(resolved,closed,cancelled)' : `status=eq.${status}`]
}

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
  const [{ incidentType: type, incidentStatus: status }, setSearch] = useSearchState(PanelSearchSchema)
  const { rows } = useTopic(incidentsTopic, NO_PARAMS)
  const found = useEndlessRows(
    incidentTable,
    {
      filters: [
        `component_id=eq.${component.id}`,
        ...(type === 'all' ? [] : [`type=eq.${type}`]),
        ...toStatusFilters(status),
      ],
      order: { by: 'created_at', direction: 'desc' },
    },
    'incidents',
  )
  useOnChange([component, rows], found.onStale)
  return (
    <EndlessSection
      name="incidents"
      title="Incidents"
      found={found}
      keyOf={incidentTable.keyOf}
      note={
        type === 'all' && status === UNRESOLVED
          ? toPartsNote(component, countOpenIncidents(component), found.total)
          : undefined
      }
      empty={
        type === 'all' && status === 'all'
          ? 'This component isn’t part of any incident.'
          : 'No incident matches these filters.'
      }
      renderRow={(incident) => (
        <>
          <Link to="/incidents/$id" params={{ id: incident.id }}>
            {incident.title || incident.id}
          </Link>
          <div className={styles['facts']}>
            <IncidentStatusTag status={incident.status} />
            {incident.severity ? <SeverityBars severity={incident.severity} /> : null}
            {incident.type ? <span>{toLabel(incident.type)}</span> : null}
            {incident.created_at ? <TimeAgo at={incident.created_at} /> : null}
          </div>
        </>
      )}
    >
      <div className={styles['filters']}>
        <SelectField
          label="Type"
          value={type}
          onChange={(chosen) => setSearch({ incidentType: incidentType.parse(chosen) }, { replace: true })}
          options={[ALL, ...INCIDENT_TYPE_OPTIONS]}
        />
        <SelectField
          label="Status"
          value={status}
          onChange={(chosen) => setSearch({ incidentStatus: incidentStatus.parse(chosen) }, { replace: true })}
          options={STATUS_OPTIONS}
        />
      </div>
      <Scope component={component} />
    </EndlessSection>
  )
}
