import { parseMoment } from '../formatTime.ts'
import { mainColumn, type TableColumn } from './column.ts'

export interface SortOrder {
  /** Key of a column. */
  readonly by: string
  readonly direction: 'asc' | 'desc'
}

/** Rows in order. Those without a value come last both ways; equal ones are ordered by name. */
export function sortRows<Row>(
  rows: readonly Row[],
  columns: readonly TableColumn<Row>[],
  order: SortOrder,
): readonly Row[] {
  const column = columns.find(({ key }) => key === order.by)
  if (column === undefined) return rows
  const sign = order.direction === 'asc' ? 1 : -1
  const main = mainColumn(columns) ?? column
  return rows
    .map((row) => ({ row, value: toSortValue(column, row) }))
    .toSorted((a, b) => {
      if (a.value === b.value) return toText(main.value(a.row)).localeCompare(toText(main.value(b.row)))
      if (a.value === null) return 1
      if (b.value === null) return -1
      return a.value < b.value ? -sign : sign
    })
    .map(({ row }) => row)
}

function toSortValue<Row>({ kind, value }: TableColumn<Row>, row: Row): string | number | null {
  const shown = value(row)
  if (kind === 'time') {
    const moment = parseMoment(shown as string | number | null | undefined)
    return Number.isNaN(moment) ? null : moment
  }
  if (typeof shown === 'number') return shown
  const text = toText(shown)
  return text === '' ? null : text.toLowerCase()
}

/** A value as a plain text: for ordering, names and copies. Names of people and things stand for them. */
export function toText(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'string') return value
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (typeof value !== 'object') return ''
  const { title, name, text } = value as { title?: unknown; name?: unknown; text?: unknown }
  const named = [title, name, text].find((candidate) => typeof candidate === 'string' && candidate !== '')
  return typeof named === 'string' ? named : JSON.stringify(value)
}
