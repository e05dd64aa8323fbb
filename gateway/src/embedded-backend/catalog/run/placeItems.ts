// Where items stand below each other: parents, paths, and an order in which no item comes before its parent. Pure.
import type { SourceWarning } from '../item.ts'
import type { PlannedItem } from './plan.ts'
import type { Resolve, ResolvedItem } from './resolve.ts'

export interface Placement {
  readonly parentId: string | null
  /** Ids from the root to this item, joined by dots. */
  readonly path: string
  readonly depth: number
}

export interface PlacedItem {
  readonly item: PlannedItem
  readonly placement: Placement
}

/** Deeper ones are nobody's structure, and each of them holds the ids of all above. */
const MAX_DEPTH = 50

export function placeItems(
  items: Iterable<PlannedItem>,
  resolve: Resolve,
): { readonly placed: readonly PlacedItem[]; readonly warnings: readonly SourceWarning[] } {
  const placements = new Map<PlannedItem, Placement>()
  const warnings: SourceWarning[] = []
  const refuse = (item: PlannedItem, message: string): void => {
    warnings.push({ ...item.place, message: `${item.name}: ${message}`, hidesItems: false })
    placements.set(item, { parentId: null, path: item.id, depth: 1 })
  }

  const placeBelow = (item: PlannedItem, parent: ResolvedItem | null): void => {
    const above = parent?.planned ? placements.get(parent.planned) : undefined
    const path = above?.path ?? parent?.path ?? parent?.id
    if (!parent || path === undefined) {
      placements.set(item, { parentId: null, path: item.id, depth: 1 })
      return
    }
    const depth = path.split('.').length + 1
    // An item of another scraper may stand below this one.
    if (path.split('.').includes(item.id)) refuse(item, 'its parent stands below it')
    else if (depth > MAX_DEPTH) refuse(item, `stands deeper than ${MAX_DEPTH} levels`)
    else placements.set(item, { parentId: parent.id, path: `${path}.${item.id}`, depth })
  }

  for (const start of items) {
    const chain: { item: PlannedItem; parent: ResolvedItem | null }[] = []
    const inChain = new Set<PlannedItem>()
    let next: PlannedItem | null = start
    while (next && !placements.has(next) && !inChain.has(next)) {
      const parent: ResolvedItem | null = next.parent && resolve(next.parent)
      chain.push({ item: next, parent })
      inChain.add(next)
      next = parent?.planned ?? null
    }
    if (next && inChain.has(next)) {
      const first = chain.findIndex(({ item }) => item === next)
      for (const { item } of chain.splice(first)) refuse(item, 'it is above its own parent')
    }
    for (const { item, parent } of chain.toReversed()) placeBelow(item, parent)
  }
  const placed = [...placements].map(([item, placement]): PlacedItem => ({ item, placement }))
  return { placed: placed.toSorted((a, b) => a.placement.depth - b.placement.depth), warnings }
}
