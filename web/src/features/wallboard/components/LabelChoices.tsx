import { Button } from '@blueprintjs/core'
import { Cross } from '@blueprintjs/icons'
import { type CheckSummary, toLabelGroups } from '@watchroom/shared/health'
import type { WallFilter } from '@watchroom/shared/wall'
import { useMemo } from 'react'

import { SelectField } from '../../../ui/form/SelectField.tsx'
import { toIdText } from '../describeFilter.ts'

import styles from '../wall.module.css'

interface LabelChoicesProps {
  rows: readonly CheckSummary[]
  labels: WallFilter['labels']
  error: string | undefined
  onChange: (labels: WallFilter['labels']) => void
}

/** Labels that include or exclude. A click on a chosen one turns it round. */
export function LabelChoices({ rows, labels, error, onChange }: LabelChoicesProps) {
  const ids = useMemo(() => toLabelGroups(rows).flatMap(({ values }) => values.map((value) => value.id)), [rows])
  const open = ids.filter((label) => !Object.hasOwn(labels, label))
  return (
    <div className={styles['labels']}>
      <SelectField
        label="Labels"
        placeholder={open.length === 0 ? 'No more labels' : 'Add a label'}
        options={open.map((value) => ({ value, label: toIdText(value) }))}
        value=""
        error={error}
        isDisabled={open.length === 0}
        onChange={(label) => onChange({ ...labels, [label]: 1 })}
      />
      {Object.entries(labels).map(([label, choice]) => (
        <span key={label} className={styles['label']} data-choice={choice === 1 ? 'include' : 'exclude'}>
          <button type="button" onClick={() => onChange({ ...labels, [label]: choice === 1 ? -1 : 1 })}>
            {choice === 1 ? 'with' : 'without'} {toIdText(label)}
          </button>
          <Button
            variant="minimal"
            size="small"
            icon={<Cross size={12} />}
            aria-label={`Remove ${toIdText(label)}`}
            onClick={() => onChange(Object.fromEntries(Object.entries(labels).filter(([other]) => other !== label)))}
          />
        </span>
      ))}
    </div>
  )
}
