// Which stored component each wanted one is. Pure: whoever calls it reads and writes. A component is found by its parent, type and
// name; the only one of its type and name that is without a place, and the only one that is wanted elsewhere, are the same that moved.

/** What a component is recognised by. */
interface Identity {
  readonly type: string | null
  readonly name: string
}

export interface WantedNode extends Identity {
  /** Its place in the list; parents stand before their children. */
  readonly parent: number | null
  readonly hash: string
  /** False where what was looked up below it is not all there is. */
  readonly isComplete: boolean
}

export interface StoredNode extends Identity {
  readonly id: string
  readonly parentId: string | null
  readonly path: string | null
  readonly isLeaf: boolean
  readonly isDeleted: boolean
  /** Null where something else than a sync wrote it. */
  readonly hash: string | null
}

export interface Place {
  readonly id: string
  readonly parentId: string | null
  /** Ids of all above, the root first, joined by dots. */
  readonly path: string
  readonly isLeaf: boolean
}

export type SyncChange = 'new' | 'unchanged' | 'changed' | 'moved' | 'returned'

export interface PlacedNode extends Place {
  readonly change: SyncChange
}

export interface SyncPlan {
  /** One for each that is wanted, in their order. */
  readonly placed: readonly PlacedNode[]
  /** Not wanted, and kept, because what was looked up was not all there is; where their place is another one than before. */
  readonly replaced: readonly Place[]
  readonly deleted: readonly string[]
  /** Deleted ones in whose place another one stands now. */
  readonly displaced: readonly string[]
}

const nameKey = ({ type, name }: Identity): string => JSON.stringify([type ?? '', name])
/** Below a new component nothing was: its id, whatever it is, is that of no stored one. */
export const placeKey = (node: Identity, parentId: string | null): string =>
  JSON.stringify([node.type ?? '', node.name, parentId])

/** @param newId makes the ids of new ones */
export function planSync(wanted: readonly WantedNode[], stored: readonly StoredNode[], newId: () => string): SyncPlan {
  const matches = matchNodes(wanted, stored)
  const matched = new Set(matches.values())
  const ids = wanted.map((_, index) => matches.get(index)?.id ?? newId())
  const kept = findKept(wanted, stored, matches)
  const parents = new Map<string, string | null>(kept.map(({ id, parentId }) => [id, parentId]))
  for (const [index, { parent }] of wanted.entries())
    parents.set(ids[index] ?? '', parent === null ? null : (ids[parent] ?? null))
  const withChildren = new Set(parents.values())
  const paths = new Map<string, string>()
  const pathOf = (id: string): string => {
    const known = paths.get(id)
    if (known !== undefined) return known
    const parentId = parents.get(id) ?? null
    const above = parentId === null ? '' : pathOf(parentId)
    const path = parentId === null ? '' : above === '' ? parentId : `${above}.${parentId}`
    paths.set(id, path)
    return path
  }
  const toPlace = (id: string): Place => ({
    id,
    parentId: parents.get(id) ?? null,
    path: pathOf(id),
    isLeaf: !withChildren.has(id),
  })
  const placed = wanted.map(({ hash }, index): PlacedNode => {
    const place = toPlace(ids[index] ?? '')
    return { ...place, change: toChange(place, hash, matches.get(index)) }
  })
  const keptIds = new Set(kept.map(({ id }) => id))
  return {
    placed,
    replaced: kept.filter((node) => !isAt(node, toPlace(node.id))).map(({ id }) => toPlace(id)),
    deleted: stored
      .filter((node) => !node.isDeleted && !matched.has(node) && !keptIds.has(node.id))
      .map(({ id }) => id),
    displaced: findDisplaced(wanted, placed, stored, matched),
  }
}

const isAt = (node: StoredNode, place: Place): boolean =>
  node.parentId === place.parentId && (node.path ?? '') === place.path && node.isLeaf === place.isLeaf

function toChange(place: Place, hash: string, node: StoredNode | undefined): SyncChange {
  if (!node) return 'new'
  if (node.isDeleted) return 'returned'
  if (node.parentId !== place.parentId) return 'moved'
  return node.hash === hash && isAt(node, place) ? 'unchanged' : 'changed'
}

/** By the place in the list of those that are wanted. */
type Matches = Map<number, StoredNode>

function matchNodes(wanted: readonly WantedNode[], stored: readonly StoredNode[]): Matches {
  const live = new Map(
    stored.filter(({ isDeleted }) => !isDeleted).map((node) => [placeKey(node, node.parentId), node]),
  )
  // Of several that were deleted in one place the last one is as good as any.
  const gone = new Map(stored.filter(({ isDeleted }) => isDeleted).map((node) => [placeKey(node, node.parentId), node]))
  const byId = new Map(stored.map((node) => [node.id, node]))
  const levels = toLevels(wanted)
  const matches: Matches = new Map()
  const taken = new Set<string>()
  const match = (index: number, node: StoredNode): void => {
    matches.set(index, node)
    taken.add(node.id)
  }
  const matchAtPlace = (index: number, nodes: ReadonlyMap<string, StoredNode>): boolean => {
    const node = wanted[index]
    if (!node || matches.has(index)) return false
    const parent = node.parent === null ? null : matches.get(node.parent)
    // Below a new one nothing was.
    if (parent === undefined) return false
    const found = nodes.get(placeKey(node, parent?.id ?? null))
    if (!found || taken.has(found.id)) return false
    match(index, found)
    return true
  }
  // Each round settles at least one; what it settled may give those below their places.
  for (;;) {
    for (const level of levels) for (const index of level) matchAtPlace(index, live)
    const moves = findMoves(wanted, levels, { stored, byId, matches, taken })
    for (const [index, node] of moves) match(index, node)
    if (moves.length > 0) continue
    const returned = levels.some((level) => level.filter((index) => matchAtPlace(index, gone)).length > 0)
    if (!returned) return matches
  }
}

function toLevels(wanted: readonly WantedNode[]): number[][] {
  const depths: number[] = []
  const levels: number[][] = []
  for (const [index, { parent }] of wanted.entries()) {
    const depth = parent === null ? 0 : (depths[parent] ?? 0) + 1
    depths.push(depth)
    ;(levels[depth] ??= []).push(index)
  }
  return levels
}

interface Matching {
  readonly stored: readonly StoredNode[]
  readonly byId: ReadonlyMap<string, StoredNode>
  readonly matches: Matches
  readonly taken: ReadonlySet<string>
}

/** Of the highest level where there are any: they take those below them along. */
function findMoves(
  wanted: readonly WantedNode[],
  levels: readonly (readonly number[])[],
  { stored, byId, matches, taken }: Matching,
): [number, StoredNode][] {
  const incomplete = new Set(
    [...matches].filter(([index]) => wanted[index]?.isComplete === false).map(([, { id }]) => id),
  )
  const isHeld = (node: StoredNode): boolean => {
    for (let above = node.parentId; above !== null; above = byId.get(above)?.parentId ?? null) {
      if (incomplete.has(above)) return true
    }
    return false
  }
  const free = new Map<string, StoredNode | null>()
  for (const node of stored) {
    if (node.isDeleted || taken.has(node.id)) continue
    const key = nameKey(node)
    free.set(key, free.has(key) || isHeld(node) ? null : node)
  }
  const wantedBy = new Map<string, number>()
  for (const [index, node] of wanted.entries()) {
    if (!matches.has(index)) wantedBy.set(nameKey(node), (wantedBy.get(nameKey(node)) ?? 0) + 1)
  }
  for (const level of levels) {
    const moves = level.flatMap((index): [number, StoredNode][] => {
      const node = wanted[index]
      if (!node || matches.has(index) || wantedBy.get(nameKey(node)) !== 1) return []
      const found = free.get(nameKey(node))
      return found ? [[index, found]] : []
    })
    if (moves.length > 0) return moves
  }
  return []
}

/** Live ones below a component whose lookup did not find all there is. */
function findKept(wanted: readonly WantedNode[], stored: readonly StoredNode[], matches: Matches): StoredNode[] {
  const matched = new Set([...matches.values()].map(({ id }) => id))
  const children = new Map<string, StoredNode[]>()
  for (const node of stored) {
    if (node.isDeleted || node.parentId === null || matched.has(node.id)) continue
    children.set(node.parentId, [...(children.get(node.parentId) ?? []), node])
  }
  const kept: StoredNode[] = []
  const open = [...matches].flatMap(([index, { id }]) => (wanted[index]?.isComplete === false ? [id] : []))
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    for (const child of children.get(id) ?? []) {
      kept.push(child)
      open.push(child.id)
    }
    children.delete(id)
  }
  return kept
}

function findDisplaced(
  wanted: readonly WantedNode[],
  placed: readonly PlacedNode[],
  stored: readonly StoredNode[],
  matched: ReadonlySet<StoredNode>,
): string[] {
  const places = new Set(
    placed.flatMap(({ parentId }, index) => {
      const node = wanted[index]
      return node ? [placeKey(node, parentId)] : []
    }),
  )
  return stored
    .filter((node) => node.isDeleted && !matched.has(node) && places.has(placeKey(node, node.parentId)))
    .map(({ id }) => id)
}
