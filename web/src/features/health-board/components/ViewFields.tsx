import { HTMLSelect } from '@blueprintjs/core'
import { SORT_COLUMNS, type SortColumn, type TabBy, tryParseGroupBy, tryParseTabBy } from '@watchroom/shared/health'
import { type ReactNode, useId } from 'react'

import { GroupByOptions, LabelOptions } from '../../../ui/GroupByOptions.tsx'
import type { BoardView } from '../board/arrangeBoard.ts'
import type { HealthActions } from '../useHealthView.ts'

import styles from '../healthBoard.module.css'

const TABBINGS: readonly { value: TabBy; label: string }[] = [
  { value: 'namespace', label: 'Namespace' },
  { value: 'agent_id', label: 'Agent' },
]

const SORT_LABELS: Record<SortColumn, string> = {
  name: 'Name',
  health: 'Health',
  uptime: 'Uptime',
  latency: 'Latency',
  transition: 'Transition',
}

interface FieldProps {
  label: string
  className?: string
  value: string
  onChange: (value: string) => void
  children: ReactNode
}

export function SelectField({ label, className = '', value, onChange, children }: FieldProps) {
  const id = useId()
  return (
    <div className={`${styles['field']} ${className}`}>
      <label htmlFor={id}>{label}</label>
      <HTMLSelect id={id} value={value} onChange={(event) => onChange(event.currentTarget.value)}>
        {children}
      </HTMLSelect>
    </div>
  )
}

interface ViewFieldsProps {
  view: BoardView
  labelKeys: readonly string[]
  actions: HealthActions
}

/** How the board is divided: groups and tabs. */
export function ViewFields({ view, labelKeys, actions }: ViewFieldsProps) {
  return (
    <>
      <SelectField
        label="Group By"
        value={view.groupBy}
        onChange={(value) => {
          const groupBy = tryParseGroupBy(value)
          if (groupBy !== null) actions.setGroupBy(groupBy)
        }}
      >
        <GroupByOptions keys={labelKeys} chosen={view.groupBy} />
      </SelectField>
      <SelectField
        label="Tab By"
        value={view.tabBy}
        onChange={(value) => {
          const tabBy = tryParseTabBy(value)
          if (tabBy !== null) actions.setTabBy(tabBy)
        }}
      >
        {TABBINGS.map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
        <LabelOptions keys={labelKeys} chosen={view.tabBy} />
      </SelectField>
    </>
  )
}

/** For where no column header sorts: cards, phones and the pivot. */
export function SortField({ view, actions }: Pick<ViewFieldsProps, 'view' | 'actions'>) {
  return (
    <SelectField
      label="Sort by"
      className={`${styles['sortField']}`}
      value={`${view.sortBy}:${view.isDescending}`}
      onChange={(value) => {
        const [column, isDescending] = value.split(':')
        const sortBy = SORT_COLUMNS.find((known) => known === column)
        if (sortBy !== undefined) actions.setSort(sortBy, isDescending === 'true')
      }}
    >
      {SORT_COLUMNS.flatMap((column) =>
        [false, true].map((isDescending) => (
          <option key={`${column}:${isDescending}`} value={`${column}:${isDescending}`}>
            {SORT_LABELS[column]} {isDescending ? '↓' : '↑'}
          </option>
        )),
      )}
    </SelectField>
  )
}
