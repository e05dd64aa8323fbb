import { Button } from '@blueprintjs/core'
import {
  type Pivot,
  PIVOT_CELL_TYPES,
  PIVOT_FIELDS,
  type PivotCellType,
  type PivotField,
} from '@watchroom/shared/health'

import { SelectField } from './ViewFields.tsx'

import styles from '../healthBoard.module.css'

const FIELD_LABELS: Record<PivotField, string> = {
  namespace: 'Namespace',
  type: 'Type',
  severity: 'Severity',
  status: 'Status',
  canary_name: 'Group name',
  name: 'Name',
  description: 'Description',
  endpoint: 'Endpoint',
  agent_id: 'Agent',
  icon: 'Icon',
}

const CELL_LABELS: Record<PivotCellType, string> = {
  status: 'Health',
  uptime: 'Uptime',
  latency: 'Latency',
  last_transition_time: 'Last transition',
  checkStatuses: 'Last results',
}

interface PivotFormProps {
  pivot: Pivot | null
  labelKeys: readonly string[]
  onPivot: (pivot: Pivot | null) => void
}

const LABEL_PREFIX = 'label:'

/** What becomes columns and what the cells show. Each choice takes effect at once. */
export function PivotForm({ pivot, labelKeys, onPivot }: PivotFormProps) {
  const cellType = pivot?.cellType ?? 'status'
  const by = pivot === null ? '' : pivot.by === 'labels' ? `${LABEL_PREFIX}${pivot.label}` : pivot.by
  const keys = pivot?.by === 'labels' && !labelKeys.includes(pivot.label) ? [...labelKeys, pivot.label] : labelKeys

  function handleBy(value: string): void {
    const field = PIVOT_FIELDS.find((known) => known === value)
    if (field !== undefined) onPivot({ by: field, label: '', cellType })
    else if (value.startsWith(LABEL_PREFIX)) {
      onPivot({ by: 'labels', label: value.slice(LABEL_PREFIX.length), cellType })
    } else onPivot(null)
  }

  return (
    <fieldset className={styles['pivotForm']} aria-label="Pivot">
      <SelectField label="Columns from" value={by} onChange={handleBy}>
        <option value="">None</option>
        {PIVOT_FIELDS.map((field) => (
          <option key={field} value={field}>
            {FIELD_LABELS[field]}
          </option>
        ))}
        {keys.length > 0 ? (
          <optgroup label="Label">
            {keys.map((key) => (
              <option key={key} value={`${LABEL_PREFIX}${key}`}>
                {key}
              </option>
            ))}
          </optgroup>
        ) : null}
      </SelectField>
      <SelectField
        label="Cells show"
        value={cellType}
        onChange={(value) => {
          const next = PIVOT_CELL_TYPES.find((known) => known === value)
          if (next !== undefined && pivot !== null) onPivot({ ...pivot, cellType: next })
        }}
      >
        {PIVOT_CELL_TYPES.map((type) => (
          <option key={type} value={type}>
            {CELL_LABELS[type]}
          </option>
        ))}
      </SelectField>
      <Button text="No pivot" disabled={pivot === null} onClick={() => onPivot(null)} />
    </fieldset>
  )
}
