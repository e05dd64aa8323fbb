/** One recorded place of a child. `parent` null is the top level. */
export interface RecordedEdge {
  child: string
  parent: string | null
  counter: number
  order: string
}

export interface Place {
  parent: string | null
  order: string
}

/** What a node without any edge gets: it still has to be reachable. */
const UNPLACED: Place = { parent: null, order: '' }

/**
 * Current place of every node, from all places it ever had (DOC-9, DOC-10).
 *
 * The edge with the highest counter wins. Concurrent moves can make a ring of winners; then one node of the ring falls back
 * to the newest older edge that leads out of it, chosen by counter and ids alone, so that every peer computes the same tree.
 * Nodes below the ring keep their places. A node that no edge leads out for goes to the top level.
 *
 * Source: the edge history idea of Evan Wallace, "CRDT: Mutable Tree Hierarchy" (2022), restricted to the ring's own nodes.
 */
export function resolveTree(nodes: ReadonlySet<string>, edges: readonly RecordedEdge[]): Map<string, Place> {
  const byChild = new Map<string, RecordedEdge[]>()
  for (const edge of edges) {
    if (!nodes.has(edge.child) || (edge.parent !== null && !nodes.has(edge.parent)) || edge.parent === edge.child)
      continue
    const list = byChild.get(edge.child)
    if (list) list.push(edge)
    else byChild.set(edge.child, [edge])
  }
  const places = new Map<string, Place>()
  for (const node of nodes) {
    const winner = byChild.get(node)?.reduce((best, edge) => (compareEdges(edge, best) > 0 ? edge : best))
    places.set(node, winner ?? UNPLACED)
  }
  for (const ring of findRings(places)) breakRing(ring, byChild, places)
  return places
}

/** Newer first by counter; ids only make ties the same everywhere. */
function compareEdges(a: RecordedEdge, b: RecordedEdge): number {
  if (a.counter !== b.counter) return a.counter - b.counter
  if (a.child !== b.child) return a.child < b.child ? -1 : 1
  const parents = [a.parent ?? '', b.parent ?? ''] as const
  return parents[0] === parents[1] ? 0 : parents[0] < parents[1] ? -1 : 1
}

/** Rings of the parent pointers, each as its set of nodes; order independent of map order. */
function findRings(places: ReadonlyMap<string, Place>): Set<string>[] {
  const rings: Set<string>[] = []
  const settled = new Set<string>()
  for (const start of [...places.keys()].toSorted()) {
    const walked = new Set<string>()
    let node: string | null = start
    while (node !== null && !settled.has(node) && !walked.has(node)) {
      walked.add(node)
      node = places.get(node)?.parent ?? null
    }
    if (node !== null && walked.has(node)) rings.push(ringThrough(node, places))
    for (const seen of walked) settled.add(seen)
  }
  return rings
}

function ringThrough(start: string, places: ReadonlyMap<string, Place>): Set<string> {
  const ring = new Set<string>()
  for (let node: string | null = start; node !== null && !ring.has(node); node = places.get(node)?.parent ?? null)
    ring.add(node)
  return ring
}

function breakRing(
  ring: ReadonlySet<string>,
  byChild: ReadonlyMap<string, RecordedEdge[]>,
  places: Map<string, Place>,
): void {
  const ways = [...ring]
    .flatMap((node) => byChild.get(node) ?? [])
    .filter((edge) => edge.parent === null || reachesTop(edge.parent, places))
    .toSorted((a, b) => compareEdges(b, a))
  const way = ways[0]
  if (way) {
    places.set(way.child, way)
    return
  }
  const lowest = [...ring].toSorted()[0]
  if (lowest !== undefined) places.set(lowest, { parent: null, order: places.get(lowest)?.order ?? '' })
}

/** Also false for what hangs below another ring that is not broken yet. */
function reachesTop(start: string, places: ReadonlyMap<string, Place>): boolean {
  const seen = new Set<string>()
  for (let node: string | null = start; node !== null; node = places.get(node)?.parent ?? null) {
    if (seen.has(node)) return false
    seen.add(node)
  }
  return true
}
