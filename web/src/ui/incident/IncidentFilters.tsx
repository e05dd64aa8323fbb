import { INCIDENT_STATUS_OPTIONS, INCIDENT_TYPE_OPTIONS } from '@watchroom/shared/incidents'

import { useSearchState } from '../../url/useSearchState.ts'
import { SelectField } from '../form/SelectField.tsx'
import { ALL, IncidentFilterSchema, UNRESOLVED } from './incidentFilters.ts'

import styles from './IncidentFilters.module.css'

const ANY = { value: ALL, label: 'All' }
const STATUS_OPTIONS = [ANY, { value: UNRESOLVED, label: 'Unresolved' }, ...INCIDENT_STATUS_OPTIONS]
const { incidentType, incidentStatus } = IncidentFilterSchema.shape

/** Type and status of the incidents that are listed, in the address. */
export function IncidentFilters() {
  const [filter, setSearch] = useSearchState(IncidentFilterSchema)
  return (
    <div className={styles['filters']}>
      <SelectField
        label="Type"
        value={filter.incidentType}
        onChange={(chosen) => setSearch({ incidentType: incidentType.parse(chosen) }, { replace: true })}
        options={[ANY, ...INCIDENT_TYPE_OPTIONS]}
      />
      <SelectField
        label="Status"
        value={filter.incidentStatus}
        onChange={(chosen) => setSearch({ incidentStatus: incidentStatus.parse(chosen) }, { replace: true })}
        options={STATUS_OPTIONS}
      />
    </div>
  )
}
