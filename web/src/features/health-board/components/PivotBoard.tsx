import {
  type CheckFacts,
  type Pivot,
  type PivotCells,
  type PivotCellType,
  type PivotColumns,
  type SortColumn,
  summarizeGroup,
  toPivotCells,
  toPivotColumns,
} from '@watchroom/shared/health'
import { type ReactNode, useMemo } from 'react'

import type { BoardUnit } from '../board/arrangeBoard.ts'
import type { BoardLine } from '../board/boardLines.ts'
import {
  type BoardColumn,
  type GridTemplate,
  HealthGlyph,
  Latency,
  NAME_COLUMN,
  sortedColumn,
  Transition,
  Uptime,
} from './boardColumns.tsx'
import { BoardGrid, type BoardGridProps } from './BoardGrid.tsx'
import { LastResults, MemberHealth } from './LastResults.tsx'

import styles from './board.module.css'

/** What sorts by the first column of figures. */
const SORTED_BY: Record<PivotCellType, SortColumn> = {
  status: 'health',
  checkStatuses: 'health',
  uptime: 'uptime',
  latency: 'latency',
  last_transition_time: 'transition',
}

/** Room for names: more where the window has it. */
const NAME_WIDTH = 'clamp(200px, 20vw, 320px)'
const CELL_PX = 148

/** One check or several, as the cells of the pivot show them. */
function PivotFigure({ checks, cellType }: { checks: readonly CheckFacts[]; cellType: PivotCellType }): ReactNode {
  const [only] = checks
  if (only === undefined) return null
  const isOne = checks.length === 1
  const figures = isOne ? only : summarizeGroup(checks)
  switch (cellType) {
    case 'status':
      return (
        <>
          <HealthGlyph health={figures.health} unknownSinceAt={isOne ? only.unknownSinceAt : null} />
          {isOne ? null : (
            <span className={styles['count']}>
              {checks.filter(({ health }) => health === 'healthy').length} of {checks.length}
            </span>
          )}
        </>
      )
    case 'uptime':
      return <Uptime passed={figures.passed} failed={figures.failed} />
    case 'latency':
      return <Latency latencyMs={figures.latencyMs} />
    case 'last_transition_time':
      return <Transition transitionAt={figures.transitionAt} />
    case 'checkStatuses':
      return isOne ? <LastResults check={only} /> : <MemberHealth counts={summarizeGroup(checks).counts} />
  }
}

const toChecks = (line: BoardLine): readonly CheckFacts[] =>
  line.kind === 'check' ? [line.unit.check] : line.unit.checks

/** Aggregate first, one column per value, the checks without a value last. */
function buildColumns(pivot: Pivot, found: PivotColumns, names: ReadonlyMap<string, string>): BoardColumn[] {
  // The cells of a row are computed together, once per state of the row.
  const cellsOf = new WeakMap<BoardUnit, PivotCells>()
  const readCells = (line: BoardLine): PivotCells => {
    const cells = cellsOf.get(line.unit) ?? toPivotCells(toChecks(line), pivot, found)
    cellsOf.set(line.unit, cells)
    return cells
  }
  const column = (id: string, title: string, read: (cells: PivotCells) => readonly CheckFacts[]): BoardColumn => ({
    id,
    head: (
      <span className={styles['pivotHead']} title={title}>
        {title}
      </span>
    ),
    cell: (line) => <PivotFigure checks={read(readCells(line))} cellType={pivot.cellType} />,
  })
  return [
    NAME_COLUMN,
    sortedColumn(SORTED_BY[pivot.cellType], {
      head: 'All',
      isDescendingFirst: pivot.cellType === 'latency' || pivot.cellType === 'last_transition_time',
      cell: (line) => <PivotFigure checks={toChecks(line)} cellType={pivot.cellType} />,
    }),
    ...found.values.map((value) =>
      column(`piv0t-${value}`, names.get(value) ?? value, ({ byValue }) => byValue.get(value) ?? []),
    ),
    ...(found.hasOther ? [column('piv0t-other', 'Other', ({ other }) => other)] : []),
  ]
}

function toTemplate({ values, hasOther }: PivotColumns): GridTemplate {
  const count = values.length + (hasOther ? 1 : 0)
  return {
    columns: `minmax(${NAME_WIDTH}, 1fr) ${CELL_PX + 16}px repeat(${count}, ${CELL_PX}px)`,
    minWidth: `calc(${NAME_WIDTH} + ${(count + 1) * CELL_PX + 16}px)`,
  }
}

interface PivotBoardProps extends Omit<BoardGridProps, 'pivot'> {
  pivot: Pivot
  /** Checks that the filters leave: their values are the columns. */
  checks: readonly CheckFacts[]
  /** Names of agents by id. */
  names: ReadonlyMap<string, string>
}

/** The board with the values of a field or label as columns. */
export function PivotBoard({ pivot, checks, names, ...grid }: PivotBoardProps) {
  // Columns keep their identity while the values do: otherwise each change of a check would re-render every cell.
  const signature = useMemo(() => JSON.stringify(toPivotColumns(checks, pivot)), [checks, pivot])
  const table = useMemo(() => {
    const found = JSON.parse(signature) as PivotColumns
    return { columns: buildColumns(pivot, found, names), template: toTemplate(found) }
  }, [signature, pivot, names])
  return <BoardGrid {...grid} pivot={table} />
}
