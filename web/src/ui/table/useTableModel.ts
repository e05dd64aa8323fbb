import {
  columnSizingFeature,
  columnVisibilityFeature,
  createColumnHelper,
  functionalUpdate,
  rowSortingFeature,
  type SortingState,
  tableFeatures,
  useTable,
} from '@tanstack/react-table'
import { useMemo } from 'react'

import { DEFAULT_LAYOUT, useColumnLayout } from '../../preferences/columnLayout.ts'
import { isNumeric, KIND_WIDTH, mainColumn, type TableColumn } from './column.ts'
import type { ColumnChoice } from './ColumnsMenu.tsx'
import type { SortOrder } from './sortRows.ts'

const features = tableFeatures({ rowSortingFeature, columnVisibilityFeature, columnSizingFeature })

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
        enableSorting: column.isSortable === true,
        // Of figures and times the largest and newest are looked for first.
        sortDescFirst: isNumeric(column.kind) || column.kind === 'time',
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
  const sorting = useMemo<SortingState>(
    () => (sort === undefined ? [] : [{ id: sort.order.by, desc: sort.order.direction === 'desc' }]),
    [sort],
  )
  const table = useTable({
    features,
    columns: definitions,
    data: NO_ROWS,
    manualSorting: true,
    enableSortingRemoval: false,
    state: { sorting, columnVisibility: visibility, columnSizing: layout.widths },
    onSortingChange: (updater) => {
      const [next] = functionalUpdate(updater, sorting)
      if (next) sort?.onSort({ by: next.id, direction: next.desc ? 'desc' : 'asc' })
    },
  })

  const byKey = new Map(columns.map((column) => [column.key, column]))
  const isChanged = Object.keys(layout.visible).length > 0 || Object.keys(layout.widths).length > 0
  return {
    columns: table.getVisibleLeafColumns().flatMap((shown) => {
      const column = byKey.get(shown.id)
      if (column === undefined) return []
      const canSort = sort !== undefined && shown.getCanSort()
      return [
        {
          column,
          isMain: column === main,
          chosenWidth: layout.widths[column.key],
          width: shown.getSize(),
          sorted: sort === undefined ? false : shown.getIsSorted(),
          onSort: canSort ? () => shown.toggleSorting() : null,
          onResize:
            column.kind === 'actions'
              ? null
              : (widthPx) => setLayout({ ...layout, widths: { ...layout.widths, [column.key]: widthPx } }),
        } satisfies ShownColumn<Row>,
      ]
    }),
    choices: table
      .getAllLeafColumns()
      .filter((column) => column.getCanHide())
      .map((column) => ({
        key: column.id,
        title: byKey.get(column.id)?.title ?? column.id,
        isVisible: column.getIsVisible(),
      })),
    onToggle: (key, isVisible) => setLayout({ ...layout, visible: { ...layout.visible, [key]: isVisible } }),
    onReset: isChanged ? () => setLayout(DEFAULT_LAYOUT) : null,
  }
}
