/** How many rows are not as they were, those that came and went included. Untouched rows keep their identity. */
export function countChanged<Row extends { readonly id: string }>(before: readonly Row[], now: readonly Row[]): number {
  if (before === now) return 0
  const known = new Map(before.map((row) => [row.id, row]))
  let changed = 0
  for (const row of now) {
    if (known.get(row.id) !== row) changed += 1
    known.delete(row.id)
  }
  return changed + known.size
}
