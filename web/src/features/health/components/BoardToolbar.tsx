import { Button, HTMLSelect, Switch } from '@blueprintjs/core'
import { CollapseAll, ExpandAll } from '@blueprintjs/icons'
import { type GroupBy, SORT_COLUMNS, type SortColumn, tryParseGroupBy } from '@watchroom/shared/health'
import { useId } from 'react'

import { SearchInput } from '../../../ui/SearchInput.tsx'
import type { BoardView } from '../board/arrangeBoard.ts'

const GROUPINGS: readonly { value: GroupBy; label: string }[] = [
  { value: 'no-group', label: 'No Grouping' },
  { value: 'canary_name', label: 'Group Name' },
  { value: 'name', label: 'Name' },
  { value: 'description', label: 'Description' },
  { value: 'type', label: 'Type' },
]

const SORT_LABELS: Record<SortColumn, string> = {
  name: 'Name',
  health: 'Health',
  uptime: 'Uptime',
  latency: 'Latency',
  transition: 'Transition',
}

interface BoardToolbarProps {
  view: BoardView
  labelKeys: readonly string[]
  /** Null when there are no groups to open or close. */
  areAllExpanded: boolean | null
  waiting: number
  onQuery: (query: string) => void
  onHidePassing: (hidePassing: boolean) => void
  onGroupBy: (groupBy: GroupBy) => void
  onSort: (sortBy: SortColumn, isDescending: boolean) => void
  onExpandAll: (isExpanded: boolean) => void
  onShowWaiting: () => void
}

/** What the board shows and how: every filter in force is visible here, those by default too. */
export function BoardToolbar(props: BoardToolbarProps) {
  const { view, labelKeys, areAllExpanded, waiting } = props
  const id = useId()
  const labelGroup = view.groupBy.startsWith('label:') ? view.groupBy.slice('label:'.length) : null
  // The key of the link may be one that no check has any more; the menu still names it.
  const keys = labelGroup === null || labelKeys.includes(labelGroup) ? labelKeys : [...labelKeys, labelGroup]

  return (
    <div className="health-toolbar" role="toolbar" aria-label="Filters">
      <SearchInput value={view.query} onSearch={props.onQuery} placeholder="Search by name, description, or endpoint" />
      <div className="health-chip" data-on={view.hidePassing || undefined}>
        <Switch
          checked={view.hidePassing}
          label="Hide passing"
          onChange={(event) => props.onHidePassing(event.currentTarget.checked)}
        />
      </div>
      <div className="health-field">
        <label htmlFor={`${id}-group`}>Group by</label>
        <HTMLSelect
          id={`${id}-group`}
          value={view.groupBy}
          onChange={(event) => {
            const groupBy = tryParseGroupBy(event.currentTarget.value)
            if (groupBy !== null) props.onGroupBy(groupBy)
          }}
        >
          {GROUPINGS.map(({ value, label }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
          {keys.length > 0 ? (
            <optgroup label="Label">
              {keys.map((key) => (
                <option key={key} value={`label:${key}`}>
                  {key}
                </option>
              ))}
            </optgroup>
          ) : null}
        </HTMLSelect>
      </div>
      <div className="health-field health-sort-field">
        <label htmlFor={`${id}-sort`}>Sort by</label>
        <HTMLSelect
          id={`${id}-sort`}
          value={`${view.sortBy}:${view.isDescending}`}
          onChange={(event) => {
            const [column, isDescending] = event.currentTarget.value.split(':')
            const sortBy = SORT_COLUMNS.find((known) => known === column)
            if (sortBy !== undefined) props.onSort(sortBy, isDescending === 'true')
          }}
        >
          {SORT_COLUMNS.flatMap((column) =>
            [false, true].map((isDescending) => (
              <option key={`${column}:${isDescending}`} value={`${column}:${isDescending}`}>
                {SORT_LABELS[column]} {isDescending ? '↓' : '↑'}
              </option>
            )),
          )}
        </HTMLSelect>
      </div>
      {areAllExpanded === null ? null : (
        <Button
          className="health-expand"
          variant="minimal"
          icon={areAllExpanded ? <CollapseAll /> : <ExpandAll />}
          text={areAllExpanded ? 'Collapse all' : 'Expand all'}
          onClick={() => props.onExpandAll(!areAllExpanded)}
        />
      )}
      <div className="health-waiting" aria-live="polite">
        {waiting > 0 ? (
          <Button size="small" intent="primary" text={`${waiting} new`} onClick={props.onShowWaiting} />
        ) : null}
      </div>
    </div>
  )
}
