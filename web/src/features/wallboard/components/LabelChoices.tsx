import { Button, HTMLSelect } from '@blueprintjs/core'
import { Cross } from '@blueprintjs/icons'
import { type CheckSummary, toLabelGroups } from '@watchroom/shared/health'
import type { WallFilter } from '@watchroom/shared/wall'
import { useId, useMemo } from 'react'

import { toIdText } from '../describeFilter.ts'

import styles from '../wall.module.css'

interface LabelChoicesProps {
  rows: readonly CheckSummary[]
  labels: WallFilter['labels']
  onChange: (labels: WallFilter['labels']) => void
}

/** Labels that include or exclude. A click on a chosen one turns it round. */
export function LabelChoices({ rows, labels, onChange }: LabelChoicesProps) {
  const id = useId()
  const ids = useMemo(() => toLabelGroups(rows).flatMap(({ values }) => values.map((value) => value.id)), [rows])
  const open = ids.filter((label) => !Object.hasOwn(labels, label))
  return (
    <div className={styles['labels']}>
      <label htmlFor={id}>
        Labels
        <HTMLSelect
          id={id}
          value=""
          disabled={open.length === 0}
          onChange={(event) => onChange({ ...labels, [event.currentTarget.value]: 1 })}
        >
          <option value="">{open.length === 0 ? 'No more labels' : 'Add a label'}</option>
          {open.map((label) => (
            <option key={label} value={label}>
              {toIdText(label)}
            </option>
          ))}
        </HTMLSelect>
      </label>
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
