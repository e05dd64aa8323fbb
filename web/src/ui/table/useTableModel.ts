import { DEFAULT_LAYOUT, useColumnLayout } from '../../preferences/columnLayout.ts'
import { isNumeric, KIND_WIDTH, mainColumn, type TableColumn } from './column.ts'
import type { ColumnChoice } from './ColumnChoices.tsx'
import type { SortOrder } from './sortRows.ts'

export interface TableSort {
  /** The order in force, of the address. */
  readonly order: SortOrder
  readonly onSort: (order: SortOrder) => void
}

/** A column as it stands now. */
export interface ShownColumn<Row> {
  readonly column: TableColumn<Row>
  readonly isMain: boolean
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
  /** For the menu of columns. */
  readonly choices: readonly ColumnChoice[]
  readonly onToggle: (key: string, isVisible: boolean) => void
  readonly onReset: (() => void) | null
}

/** Columns with their order, visibility and widths. The rows are not the table's: only those near the window are ever drawn. */
export function useTableModel<Row extends object>(
  name: string,
  columns: readonly TableColumn<Row>[],
  sort: TableSort | undefined,
): TableModel<Row> {
  const [layout, setLayout] = useColumnLayout(name)
  const main = mainColumn(columns)
  const canHide = (column: TableColumn<Row>): boolean => column !== main && column.kind !== 'actions'
  const isVisible = (column: TableColumn<Row>): boolean =>
    !canHide(column) || (layout.visible[column.key] ?? column.isHiddenAtFirst !== true)
  const isChanged = Object.keys(layout.visible).length > 0 || Object.keys(layout.widths).length > 0
  return {
    columns: columns.filter(isVisible).map((column) => ({
      column,
      isMain: column === main,
      chosenWidth: layout.widths[column.key],
      width: layout.widths[column.key] ?? column.width ?? KIND_WIDTH[column.kind],
      ...sortingOf(column, sort),
      onResize:
        column.kind === 'actions'
          ? null
          : (widthPx) => setLayout({ ...layout, widths: { ...layout.widths, [column.key]: widthPx } }),
    })),
    choices: columns
      .filter(canHide)
      .map((column) => ({ key: column.key, title: column.title, isVisible: isVisible(column) })),
    onToggle: (key, visible) => setLayout({ ...layout, visible: { ...layout.visible, [key]: visible } }),
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
