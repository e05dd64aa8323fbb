import {
  columnSizingFeature,
  columnVisibilityFeature,
  createColumnHelper,
  tableFeatures,
  useTable,
} from '@tanstack/react-table'
import { useMemo } from 'react'

import { DEFAULT_LAYOUT, useColumnLayout } from '../../preferences/columnLayout.ts'
import { isNumeric, KIND_WIDTH, mainColumn, type TableColumn } from './column.ts'
import type { ColumnChoice } from './ColumnChoices.tsx'
import type { SortOrder } from './sortRows.ts'

const features = tableFeatures({ columnVisibilityFeature, columnSizingFeature })

export interface TableSort {
  /** The order in force, of the address. */
  readonly order: SortOrder
  readonly onSort: (order: SortOrder) => void
}

/** As much of a column as its cells need. */
export interface CellColumn<Row> {
  readonly column: TableColumn<Row>
  readonly isMain: boolean
}

/** A column as it stands now. */
interface ShownColumn<Row> extends CellColumn<Row> {
  /** Chosen by the person; undefined: what the contents need. */
  readonly chosenWidth: number | undefined
  /** In a long table. */
  readonly width: number
  readonly sorted: false | 'asc' | 'desc'
  readonly onSort: (() => void) | null
  readonly onResize: ((widthPx: number) => void) | null
}

export interface TableModel<Row> {
  readonly columns: readonly ShownColumn<Row>[]
  /** The same columns for the rows, which compare them: another list only when other columns are shown. */
  readonly cells: readonly CellColumn<Row>[]
  /** For the menu of columns. */
  readonly choices: readonly ColumnChoice[]
  readonly onToggle: (key: string, isVisible: boolean) => void
  readonly onReset: (() => void) | null
}

const NO_ROWS: readonly never[] = []

/** Columns with their order, visibility and widths. The rows are not the table's: only those near the window are ever drawn. */
export function useTableModel<Row extends object>(
  name: string,
  columns: readonly TableColumn<Row>[],
  sort: TableSort | undefined,
): TableModel<Row> {
  const [layout, setLayout] = useColumnLayout(name)
  const main = mainColumn(columns)
  const definitions = useMemo(() => {
    const helper = createColumnHelper<typeof features, Row>()
    return columns.map((column) =>
      helper.accessor((row) => column.value(row), {
        id: column.key,
        header: column.title,
        enableHiding: column !== main && column.kind !== 'actions',
        size: column.width ?? KIND_WIDTH[column.kind],
      }),
    )
  }, [columns, main])

  const visibility = useMemo(
    () => ({
      ...Object.fromEntries(columns.map(({ key, isHiddenAtFirst }) => [key, isHiddenAtFirst !== true])),
      ...layout.visible,
    }),
    [columns, layout.visible],
  )
  const table = useTable({
    features,
    columns: definitions,
    data: NO_ROWS,
    state: { columnVisibility: visibility, columnSizing: layout.widths },
  })

  const shown = table.getVisibleLeafColumns()
  const cells = useMemo(() => {
    const isShown = new Set(shown.map(({ id }) => id))
    return columns.filter(({ key }) => isShown.has(key)).map((column) => ({ column, isMain: column === main }))
  }, [shown, columns, main])
  const isChanged = Object.keys(layout.visible).length > 0 || Object.keys(layout.widths).length > 0
  return {
    columns: cells.map((cell) => {
      const { key, kind } = cell.column
      return {
        ...cell,
        chosenWidth: layout.widths[key],
        width: table.getColumn(key)?.getSize() ?? KIND_WIDTH[kind],
        ...sortingOf(cell.column, sort),
        onResize:
          kind === 'actions'
            ? null
            : (widthPx) => setLayout({ ...layout, widths: { ...layout.widths, [key]: widthPx } }),
      } satisfies ShownColumn<Row>
    }),
    cells,
    choices: table
      .getAllLeafColumns()
      .filter((column) => column.getCanHide())
      .map((column) => ({
        key: column.id,
        title: columns.find(({ key }) => key === column.id)?.title ?? column.id,
        isVisible: column.getIsVisible(),
      })),
    onToggle: (key, isVisible) => setLayout({ ...layout, visible: { ...layout.visible, [key]: isVisible } }),
    onReset: isChanged ? () => setLayout(DEFAULT_LAYOUT) : null,
  }
}

/** Rows are sorted elsewhere, by the server or with the hold of a live list. */
function sortingOf<Row>(
  { key, kind, isSortable }: TableColumn<Row>,
  sort: TableSort | undefined,
): Pick<ShownColumn<Row>, 'sorted' | 'onSort'> {
  if (sort === undefined) return { sorted: false, onSort: null }
  const { order, onSort } = sort
  const sorted = order.by === key && order.direction
  if (isSortable !== true) return { sorted, onSort: null }
  // Of figures and times the largest and newest are looked for first.
  const first = isNumeric(kind) || kind === 'time' ? 'desc' : 'asc'
  const next = sorted === false ? first : sorted === 'asc' ? 'desc' : 'asc'
  return { sorted, onSort: () => onSort({ by: key, direction: next }) }
}
