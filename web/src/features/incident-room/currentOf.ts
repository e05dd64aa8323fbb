interface Entry {
  readonly hypothesis_id: string | null
  readonly removed: unknown
}

const NOTHING: readonly never[] = []
/** Cached per list: every row of the tree asks about the same list, which is a new object with each change. */
const known = new WeakMap<readonly Entry[], ReadonlyMap<string, readonly Entry[]>>()

/** The comments or the evidence of one hypothesis that were not removed, in their order. */
export function currentOf<Item extends Entry>(all: readonly Item[], hypothesisId: string): readonly Item[] {
  let groups = known.get(all)
  if (groups === undefined) {
    groups = groupCurrent(all)
    known.set(all, groups)
  }
  return (groups.get(hypothesisId) ?? NOTHING) as readonly Item[]
}

function groupCurrent(all: readonly Entry[]): Map<string, Entry[]> {
  const groups = new Map<string, Entry[]>()
  for (const entry of all) {
    if (entry.removed !== null || entry.hypothesis_id === null) continue
    const group = groups.get(entry.hypothesis_id)
    if (group) group.push(entry)
    else groups.set(entry.hypothesis_id, [entry])
  }
  return groups
}
