/* oxlint-disable jsx-a11y/prefer-tag-over-role -- see BoardGrid.tsx: table elements lose their roles together with their table layout */
import type { Row } from '@tanstack/react-table'
import { type CSSProperties, memo, type ReactNode, useState } from 'react'

import type { BoardLine } from '../board/boardLines.ts'
import type { BoardColumns, boardFeatures } from './boardColumns.tsx'

import styles from './board.module.css'

type BoardTableRow = Row<typeof boardFeatures, BoardLine>
export type BoardCell = ReturnType<BoardTableRow['getAllCells']>[number]

interface BoardRowProps {
  row: BoardTableRow
  /** Place in the whole list, from 0. */
  index: number
  /** Pixels from the top of the list. */
  top: number
  height: number
  /** Takes the keyboard: the one row that Tab reaches. */
  isActive: boolean
  /** Its panel is open. */
  isSelected: boolean
  isTree: boolean
  /** Those of the table: other columns make other cells of the same line. */
  columns: BoardColumns
  renderCell: (cell: BoardCell) => ReactNode
}

/** `null`, then alternating on every change, so that a second change restarts the tint. */
type Tint = null | 'odd' | 'even'

function useTint(health: string): Tint {
  const [seen, setSeen] = useState(health)
  const [tint, setTint] = useState<Tint>(null)
  if (health !== seen) {
    setSeen(health)
    setTint(tint === 'odd' ? 'even' : 'odd')
  }
  return tint
}

function BoardRowView({ row, index, top, height, isActive, isSelected, isTree, columns, renderCell }: BoardRowProps) {
  const line = row.original
  const { unit } = line
  const health = unit.kind === 'check' ? unit.check.health : unit.summary.health
  const tint = useTint(health)
  return (
    <div
      role="row"
      className={styles['row']}
      aria-rowindex={index + 2}
      {...(isTree ? { 'aria-level': line.level } : {})}
      {...(line.kind === 'group' ? { 'aria-expanded': line.isExpanded } : {})}
      {...(isSelected ? { 'aria-selected': true } : {})}
      data-line={line.id}
      data-kind={line.kind}
      data-level={line.level}
      data-health={health}
      data-leaving={unit.isLeaving || undefined}
      data-tint={tint ?? undefined}
      tabIndex={isActive ? 0 : -1}
      style={{ height, transform: `translateY(${top}px)`, '--health-level': line.level } as CSSProperties}
    >
      <RowCells row={row} columns={columns} renderCell={renderCell} />
    </div>
  )
}

function isSameLine(a: BoardLine, b: BoardLine): boolean {
  if (a.unit !== b.unit || a.groupId !== b.groupId || a.level !== b.level) return false
  return a.kind !== 'group' || b.kind !== 'group' || a.isExpanded === b.isExpanded
}

function RowCellsView({ row, renderCell }: Pick<BoardRowProps, 'row' | 'columns' | 'renderCell'>) {
  return row.getAllCells().map((cell, column) => (
    <div
      key={cell.id}
      role={column === 0 ? 'rowheader' : 'gridcell'}
      aria-colindex={column + 1}
      className={styles['cell']}
      data-column={cell.column.id}
    >
      {renderCell(cell)}
    </div>
  ))
}

/** A row that only moves keeps its cells as they are. */
const RowCells = memo(
  RowCellsView,
  (before, after) => isSameLine(before.row.original, after.row.original) && before.columns === after.columns,
)

/** Renders again only when its own contents or place change: 200 changes a second arrive for 10,000 checks. */
export const BoardRow = memo(
  BoardRowView,
  (before, after) =>
    isSameLine(before.row.original, after.row.original) &&
    before.index === after.index &&
    before.top === after.top &&
    before.height === after.height &&
    before.isActive === after.isActive &&
    before.isSelected === after.isSelected &&
    before.isTree === after.isTree &&
    before.columns === after.columns,
)
