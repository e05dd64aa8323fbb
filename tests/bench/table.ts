/** What a benchmark prints: one table, and the conditions it was taken under. */
export interface BenchTable {
  title: string
  columns: string[]
  rows: (string | number)[][]
  /** Targets, machine noise, what was left out. */
  notes: string[]
}

/** The table as aligned text, readable in a terminal and in Markdown alike. */
export function formatTable(table: BenchTable): string {
  const lines = [table.columns, ...table.rows.map((row) => row.map(String))]
  const widths = table.columns.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)))
  const toLine = (cells: string[]): string =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`
  const rule = `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`
  const [head = [], ...body] = lines
  return [
    `### ${table.title}`,
    '',
    toLine(head),
    rule,
    ...body.map(toLine),
    '',
    ...table.notes.map((note) => `- ${note}`),
    '',
  ].join('\n')
}

/** Value below which `share` (0..1) of the samples lie: the smallest sample whose cumulative share reaches it. */
export function percentile(samples: readonly number[], share: number): number {
  const sorted = samples.toSorted((a, b) => a - b)
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN
}
