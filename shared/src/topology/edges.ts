import type { TopologyNode } from './topologyNode.ts'

export interface TopologyEdges {
  /** Ids, each once, in an order that depends on the nodes alone. */
  readonly childrenOf: ReadonlyMap<string, readonly string[]>
  readonly parentsOf: ReadonlyMap<string, readonly string[]>
}

/**
 * Which component is below which, by parents and links. An edge that would close a circle is left out: first come the parents, then the
 * links, both in the order of ids, so that whoever works it out leaves out the same ones.
 */
export function toEdges(nodes: ReadonlyMap<string, Pick<TopologyNode, 'parentId' | 'linkedTo'>>): TopologyEdges {
  const ids = [...nodes.keys()].toSorted()
  const childrenOf = new Map<string, string[]>(ids.map((id) => [id, []]))
  const parentsOf = new Map<string, string[]>(ids.map((id) => [id, []]))
  const isBelow = (id: string, above: string): boolean => {
    const open = [id]
    const seen = new Set(open)
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      if (next === above) return true
      for (const parent of parentsOf.get(next) ?? []) {
        if (seen.has(parent)) continue
        seen.add(parent)
        open.push(parent)
      }
    }
    return false
  }
  const add = (parent: string, child: string): void => {
    const children = childrenOf.get(parent)
    const parents = parentsOf.get(child)
    if (children === undefined || parents === undefined || parents.includes(parent) || isBelow(parent, child)) return
    children.push(child)
    parents.push(parent)
  }
  for (const id of ids) {
    const parentId = nodes.get(id)?.parentId ?? null
    if (parentId !== null) add(parentId, id)
  }
  for (const id of ids) for (const parent of (nodes.get(id)?.linkedTo ?? []).toSorted()) add(parent, id)
  for (const children of childrenOf.values()) children.sort()
  return { childrenOf, parentsOf }
}
