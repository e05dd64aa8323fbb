import { Checkbox } from '@blueprintjs/core'
import { CaretDown, CaretUp } from '@blueprintjs/icons'
import type { KeyboardEvent, PointerEvent } from 'react'

import { isNumeric } from './column.ts'
import { dragWidth, toWidth, toWidthStep } from './columnWidth.ts'
import type { TableModel } from './useTableModel.ts'

import styles from './ResourceTable.module.css'

export interface HeadSelection {
  readonly isAll: boolean
  readonly isSome: boolean
  readonly onToggleAll: () => void
}

interface TableHeadProps<Row> {
  model: TableModel<Row>
  /** Null where rows cannot be selected. */
  selection: HeadSelection | null
  hasDetails: boolean
  hasActions: boolean
  /** Rows are cards: the names are there for who does not see them beside the values, and do nothing. */
  isFolded: boolean
}

/** The names of the columns: buttons where they sort, with an edge to drag where widths can be chosen. */
export function TableHead<Row>({ model, selection, hasDetails, hasActions, isFolded }: TableHeadProps<Row>) {
  if (isFolded) {
    const names = [
      ...(selection ? ['Selection'] : []),
      ...(hasDetails ? ['Details'] : []),
      ...model.columns.map(({ column }) => column.title),
      ...(hasActions ? ['Actions'] : []),
    ]
    return (
      <thead>
        <tr aria-rowindex={1}>
          {names.map((name) => (
            <th key={name} scope="col">
              {name}
            </th>
          ))}
        </tr>
      </thead>
    )
  }
  return (
    <thead>
      <tr aria-rowindex={1}>
        {selection ? (
          <th scope="col" className={`${styles['tool']} ${styles['select']}`}>
            <Checkbox
              label="Select all rows"
              checked={selection.isAll}
              indeterminate={selection.isSome && !selection.isAll}
              onChange={selection.onToggleAll}
            />
          </th>
        ) : null}
        {hasDetails ? (
          <th scope="col" className={styles['tool']}>
            <span className="wr-visually-hidden">Details</span>
          </th>
        ) : null}
        {model.columns.map(({ column, sorted, onSort, onResize }) => (
          <th
            key={column.key}
            scope="col"
            data-number={isNumeric(column.kind) || undefined}
            data-column={column.key}
            {...(onSort === null ? {} : { 'aria-sort': sorted === false ? 'none' : ARIA_SORT[sorted] })}
          >
            {column.kind === 'actions' ? <span className="wr-visually-hidden">{column.title}</span> : null}
            {column.kind !== 'actions' && onSort === null ? column.title : null}
            {column.kind !== 'actions' && onSort !== null ? (
              <button
                type="button"
                className={styles['sort']}
                onClick={onSort}
                onKeyDown={(event) => handleResizeKey(event, onResize)}
              >
                {column.title}
                {sorted === false ? null : sorted === 'asc' ? <CaretUp size={14} /> : <CaretDown size={14} />}
              </button>
            ) : null}
            {onResize ? <ResizeEdge onResize={onResize} /> : null}
          </th>
        ))}
        {hasActions ? (
          <th scope="col" className={styles['tool']}>
            <span className="wr-visually-hidden">Actions</span>
          </th>
        ) : null}
      </tr>
    </thead>
  )
}

const ARIA_SORT = { asc: 'ascending', desc: 'descending' } as const

const widthOf = (part: Element): number => part.closest('th')?.getBoundingClientRect().width ?? 0

/**
 * By keyboard the width follows Shift and an arrow on the heading; where that does not sort, in the menu of
 * columns, which has those that can be hidden. Of a main column that does not sort only a pointer changes the width.
 */
function handleResizeKey(event: KeyboardEvent<HTMLElement>, onResize: ((widthPx: number) => void) | null): void {
  const step = toWidthStep(event.key)
  if (onResize === null || step === 0 || !event.shiftKey) return
  event.preventDefault()
  onResize(toWidth(widthOf(event.currentTarget) + step))
}

/** The right edge of a heading, to be dragged. No control of its own for the keyboard: it would be a second stop per column. */
function ResizeEdge({ onResize }: { onResize: (widthPx: number) => void }) {
  function handlePointerDown(event: PointerEvent<HTMLElement>): void {
    dragWidth(event, widthOf(event.currentTarget), onResize)
  }

  return <span role="presentation" className={styles['edge']} onPointerDown={handlePointerDown} />
}
