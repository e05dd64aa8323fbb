/* oxlint-disable jsx-a11y/prefer-tag-over-role -- see BoardGrid.tsx: table elements lose their roles together with their table layout */
import { type CSSProperties, memo, useState } from 'react'

import type { BoardLine } from '../board/boardLines.ts'
import type { BoardColumn } from './boardColumns.tsx'

import styles from './board.module.css'

interface BoardRowProps {
  line: BoardLine
  /** Place in the whole list, from 0. */
  index: number
  /** Pixels from the top of the list. */
  top: number
  height: number
  /** Whether it is the one row that Tab reaches. */
  isActive: boolean
  /** Its panel is open. */
  isSelected: boolean
  isTree: boolean
  /** Other columns render other cells for the same line. */
  columns: readonly BoardColumn[]
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

function BoardRowView({ line, index, top, height, isActive, isSelected, isTree, columns }: BoardRowProps) {
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
      <RowCells line={line} columns={columns} />
    </div>
  )
}

function isSameLine(a: BoardLine, b: BoardLine): boolean {
  if (a.unit !== b.unit || a.groupId !== b.groupId || a.level !== b.level) return false
  return a.kind !== 'group' || b.kind !== 'group' || a.isExpanded === b.isExpanded
}

function RowCellsView({ line, columns }: Pick<BoardRowProps, 'line' | 'columns'>) {
  return columns.map(({ id, cell }, column) => (
    <div
      key={id}
      role={column === 0 ? 'rowheader' : 'gridcell'}
      aria-colindex={column + 1}
      className={styles['cell']}
      data-column={id}
    >
      {cell(line)}
    </div>
  ))
}

/** A row that only moves keeps its cells as they are. */
const RowCells = memo(
  RowCellsView,
  (before, after) => isSameLine(before.line, after.line) && before.columns === after.columns,
)

/** Renders again only when its own contents or place change: 200 changes a second arrive for 10,000 checks. */
export const BoardRow = memo(
  BoardRowView,
  (before, after) =>
    isSameLine(before.line, after.line) &&
    before.index === after.index &&
    before.top === after.top &&
    before.height === after.height &&
    before.isActive === after.isActive &&
    before.isSelected === after.isSelected &&
    before.isTree === after.isTree &&
    before.columns === after.columns,
)
