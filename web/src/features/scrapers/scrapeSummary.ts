const COUNTED = ['added', 'updated', 'unchanged', 'deleted', 'changes'] as const
type Counted = (typeof COUNTED)[number]

/** What a run did, by type of item and kind of work. Other programs may write other things. */
type ScrapeSummary = Readonly<Record<string, unknown>>

/** Of all types together. */
function totalsOf(summary: ScrapeSummary): Record<Counted, number> {
  const totals = { added: 0, updated: 0, unchanged: 0, deleted: 0, changes: 0 }
  for (const ofType of Object.values(summary)) {
    if (typeof ofType !== 'object' || ofType === null) continue
    for (const [word, count] of Object.entries(ofType)) {
      const counted = COUNTED.find((candidate) => candidate === word)
      if (counted !== undefined && typeof count === 'number') totals[counted] += count
    }
  }
  return totals
}

/** Items that the last run saw; null when none has told: one that failed or was skipped saw nothing, which is not the same as none. */
export function itemsOf(summary: ScrapeSummary | null | undefined): number | null {
  if (!summary || Object.keys(summary).length === 0) return null
  const { added, updated, unchanged } = totalsOf(summary)
  return added + updated + unchanged
}

/** `3 added, 1 deleted`, or that nothing differs. */
export function summaryText(summary: ScrapeSummary): string {
  const totals = totalsOf(summary)
  const parts = COUNTED.filter((word) => word !== 'unchanged' && totals[word] > 0).map(
    (word) => `${totals[word].toLocaleString()} ${word}`,
  )
  return parts.length === 0 ? `nothing changed in ${totals.unchanged.toLocaleString()} items` : parts.join(', ')
}
