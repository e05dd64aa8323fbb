/** What a run did with the items of each type; the `scrape_summary` of its row in the job history. */
export interface TypeSummary {
  added: number
  updated: number
  unchanged: number
  deleted: number
  changes: number
}

export interface Summary {
  count(type: string, what: keyof TypeSummary, by?: number): void
  readonly byType: ReadonlyMap<string, Readonly<TypeSummary>>
  /** Items that were found. */
  total(): number
}

export function createSummary(): Summary {
  const byType = new Map<string, TypeSummary>()
  return {
    byType,
    count: (type, what, by = 1) => {
      const summary = byType.get(type) ?? { added: 0, updated: 0, unchanged: 0, deleted: 0, changes: 0 }
      summary[what] += by
      byType.set(type, summary)
    },
    total: () =>
      [...byType.values()].reduce((sum, { added, updated, unchanged }) => sum + added + updated + unchanged, 0),
  }
}
