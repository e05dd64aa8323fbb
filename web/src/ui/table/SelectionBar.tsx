import { Button } from '@blueprintjs/core'

import type { SelectedRows, TableSelection } from './useSelectedRows.ts'

import styles from './Selection.module.css'

interface SelectionBarProps<Row> {
  selected: SelectedRows<Row>
  actions: TableSelection<Row>['actions']
  /** Rows are cards: there is no heading with a box for all of them. */
  isFolded: boolean
  /** The button that had the focus goes away with the selection. */
  onClear: () => void
}

/** How many rows are selected, and what can be done with them; nothing while none is. */
export function SelectionBar<Row>({ selected, actions, isFolded, onClear }: SelectionBarProps<Row>) {
  const { rows, selectable, toggleAll, deselect, clear } = selected
  const isEmpty = rows.length === 0
  return (
    <div className={isEmpty ? undefined : styles['bar']}>
      {/* Also while it is empty: what is said in a place that is new may not be read aloud. */}
      <output aria-label="Selection">{isEmpty ? null : `${rows.length.toLocaleString()} selected`}</output>
      {isEmpty ? null : (
        <>
          {actions.map(({ text, icon, isDestructive = false, isBusy = false, onSelect }) => (
            <Button
              key={text}
              size="small"
              text={text}
              icon={icon}
              intent={isDestructive ? 'danger' : 'none'}
              variant={isDestructive ? 'minimal' : 'solid'}
              loading={isBusy}
              onClick={() => onSelect(rows, deselect)}
            />
          ))}
          <span className={styles['end']}>
            {isFolded && rows.length < selectable ? (
              <Button
                size="small"
                variant="minimal"
                text={`Select all ${selectable.toLocaleString()}`}
                onClick={toggleAll}
              />
            ) : null}
            <Button
              size="small"
              variant="minimal"
              text="Clear selection"
              onClick={() => {
                clear()
                onClear()
              }}
            />
          </span>
        </>
      )}
    </div>
  )
}
