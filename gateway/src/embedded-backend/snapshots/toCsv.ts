/** Rows as comma-separated values with a line of names; nested values as JSON. Nothing for no rows. */
export function toCsv(rows: readonly Readonly<Record<string, unknown>>[]): string {
  const names = Object.keys(rows[0] ?? {})
  if (names.length === 0) return ''
  const lines = [names, ...rows.map((row) => names.map((name) => toText(row[name])))]
  return lines.map((cells) => `${cells.map(quote).join(',')}\r\n`).join('')
}

function toText(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (value instanceof Date) return value.toISOString()
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** What a table program would run; a negative number is none. */
const FORMULA = /^(?:[=+@\t\r]|-(?!\d+(?:\.\d+)?$))/

function quote(cell: string): string {
  const safe = FORMULA.test(cell) ? `'${cell}` : cell
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
