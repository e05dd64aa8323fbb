import { Button, InputGroup, Switch } from '@blueprintjs/core'
import { ChevronDown, ChevronRight } from '@blueprintjs/icons'
import type { LabelFilter, LabelGroup } from '@watchroom/shared/health'
import { memo, type ReactNode, useId, useState } from 'react'

import { ThreeWayToggle } from '../../../ui/table/ThreeWayToggle.tsx'
import type { BoardView } from '../board/arrangeBoard.ts'
import { toLabelSummary } from '../labelSummary.ts'
import type { HealthActions } from '../useHealthView.ts'

import styles from './filters.module.css'

/** From this many values on a key gets a search of its own. */
const SEARCHABLE_FROM = 12

/** Values shown at once: more is found by the search. */
const MAX_VALUES = 100

interface FilterPanelProps {
  view: BoardView
  labels: readonly LabelGroup[]
  actions: HealthActions
  /** What belongs here on small screens: the fields of the toolbar. */
  children?: ReactNode
}

/** What is hidden: passing checks, and checks by their labels. */
function FilterPanelView({ view, labels, actions, children }: FilterPanelProps) {
  return (
    <div className={styles['panel']}>
      <Switch
        className={`${styles['passing']}`}
        checked={view.hidePassing}
        label="Hide Passing"
        onChange={(event) => actions.setHidePassing(event.currentTarget.checked)}
      />
      {children}
      {labels.length === 0 ? (
        <p className={styles['none']}>No check has a label yet.</p>
      ) : (
        <h2 className={styles['heading']}>Labels</h2>
      )}
      {labels.map((group) =>
        group.isBoolean ? (
          <BooleanLabel key={group.key} group={group} filter={view.labels} onChoose={actions.setLabel} />
        ) : (
          <LabelValues key={group.key} group={group} filter={view.labels} onChoose={actions.setLabel} />
        ),
      )}
    </div>
  )
}

/** Follows filters and labels, not every change of a check. */
export const FilterPanel = memo(FilterPanelView)

interface LabelProps {
  group: LabelGroup
  filter: LabelFilter
  onChoose: HealthActions['setLabel']
}

function BooleanLabel({ group, filter, onChoose }: LabelProps) {
  return group.values.map(({ id, text, count }) => (
    <div key={id} className={styles['value']}>
      <span className={styles['text']} title={text}>
        {text}
      </span>
      <span className={styles['count']}>{count}</span>
      <ThreeWayToggle label={text} state={filter.get(id) ?? 0} onChange={(state) => onChoose(id, state)} />
    </div>
  ))
}

function LabelValues({ group, filter, onChoose }: LabelProps) {
  const id = useId()
  const [isOpen, setOpen] = useState(false)
  const [search, setSearch] = useState('')
  const summary = toLabelSummary(group, filter)
  const wanted = search.trim().toLowerCase()
  const found = group.values.filter(({ value }) => value.toLowerCase().includes(wanted))
  return (
    <div className={styles['label']} data-chosen={summary !== null || undefined}>
      <Button
        variant="minimal"
        fill
        alignText="start"
        aria-expanded={isOpen}
        aria-controls={id}
        icon={isOpen ? <ChevronDown /> : <ChevronRight />}
        onClick={() => setOpen(!isOpen)}
      >
        <span className={styles['key']}>{group.key}</span>
        <span className={styles['summary']}>{summary ?? 'any'}</span>
      </Button>
      <div id={id} className={styles['values']} hidden={!isOpen}>
        {isOpen && group.values.length >= SEARCHABLE_FROM ? (
          <InputGroup
            size="small"
            type="search"
            placeholder={`Search ${group.key}`}
            aria-label={`Search ${group.key}`}
            value={search}
            onChange={(event) => setSearch(event.currentTarget.value)}
          />
        ) : null}
        {isOpen
          ? found.slice(0, MAX_VALUES).map(({ id: labelId, value, text, count }) => (
              <div key={labelId} className={styles['value']}>
                <span className={styles['text']} title={value}>
                  {value || '(empty)'}
                </span>
                <span className={styles['count']}>{count}</span>
                <ThreeWayToggle
                  label={text}
                  state={filter.get(labelId) ?? 0}
                  onChange={(state) => onChoose(labelId, state)}
                />
              </div>
            ))
          : null}
        {isOpen && found.length > MAX_VALUES ? (
          <p className={styles['none']}>{found.length - MAX_VALUES} more: search for them.</p>
        ) : null}
      </div>
    </div>
  )
}
