import { parseMoment } from '../formatTime.ts'
import { saveFile } from '../saveFile.ts'
import type { TableColumn } from './column.ts'
import { toText } from './sortRows.ts'

/** Spreadsheets take UTF-8 for something else without it. */
const BYTE_ORDER_MARK = '\uFEFF'
/** What spreadsheets would work out instead of showing it: names come from systems that anyone may name things in. */
const FORMULA = /^[=+\-@\t\r]/

/** Hands rows to the person as a CSV file (RFC 4180), columns as given but for those of controls. */
export function saveRows<Row>(name: string, rows: readonly Row[], columns: readonly TableColumn<Row>[]): void {
  saveFile(`${name}.csv`, new Blob([BYTE_ORDER_MARK, toCsv(rows, columns)], { type: 'text/csv' }))
}

/** Moments as ISO 8601 in UTC, durations in milliseconds. */
export function toCsv<Row>(rows: readonly Row[], columns: readonly TableColumn<Row>[]): string {
  const kept = columns.filter(({ kind }) => kind !== 'actions')
  const head = kept.map(({ kind, title }) => quote(kind === 'duration' ? `${title} (ms)` : title))
  const lines = rows.map((row) => kept.map((column) => toField(column, row)))
  return [head, ...lines].map((fields) => `${fields.join(',')}\r\n`).join('')
}

function toField<Row>({ kind, value }: TableColumn<Row>, row: Row): string {
  const shown = value(row)
  if (shown === null || shown === undefined) return ''
  if (typeof shown === 'number') return String(shown)
  if (kind === 'time') {
    const moment = parseMoment(shown as string)
    return Number.isNaN(moment) ? '' : new Date(moment).toISOString()
  }
  const text = Array.isArray(shown)
    ? shown.map(toText).join(', ')
    : kind === 'labels' && typeof shown === 'object'
      ? Object.entries(shown)
          .map(([key, item]) => `${key}=${toText(item)}`)
          .join(', ')
      : kind === 'link' && typeof shown === 'object' && 'text' in shown
        ? toText(shown.text)
        : toText(shown)
  return quote(FORMULA.test(text) ? `'${text}` : text)
}

const quote = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)
