// Which item a reference means: one of this run, else one that the scraper stored earlier, else one of another scraper. Pure.
import type { ItemReference } from '../item.ts'
import type { PlannedItem } from './plan.ts'
import type { ForeignItem, StoredItem } from './stored.ts'

export interface ResolvedItem {
  readonly id: string
  readonly path: string | null
  /** Set for an item of this run: its place may differ from the stored one. */
  readonly planned: PlannedItem | null
}

export type Resolve = (reference: ItemReference) => ResolvedItem | null

interface Named {
  readonly type: string
  readonly item: ResolvedItem
}

/** @param foreign asked for what the other two do not have */
export function createResolver(
  planned: Iterable<PlannedItem>,
  unseen: readonly StoredItem[],
  foreign: readonly ForeignItem[] = [],
): Resolve {
  const byId = new Map<string, Named[]>()
  const byName = new Map<string, Named[]>()
  const put = (index: Map<string, Named[]>, key: string, named: Named): void => {
    const known = index.get(key)
    if (known) known.push(named)
    else index.set(key, [named])
  }
  for (const each of planned) {
    const named = { type: each.type, item: { id: each.id, path: null, planned: each } }
    for (const alias of each.aliases) put(byId, alias, named)
    put(byName, each.name, named)
  }
  for (const { id, type, key, path } of unseen) put(byId, key, { type, item: { id, path, planned: null } })
  for (const { id, type, name, names, path } of foreign) {
    const named = { type, item: { id, path, planned: null } }
    for (const alias of names) put(byId, alias, named)
    put(byName, name, named)
  }
  return ({ id, name, type }) => {
    const found = id === undefined ? byName.get(name ?? '') : byId.get(id)
    return found?.find((each) => type === undefined || each.type === type)?.item ?? null
  }
}
