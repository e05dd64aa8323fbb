import type { Graph, GraphNode } from './toGraph.ts'

export interface VisibleGraph {
  /** Nearest to the item first. */
  readonly nodes: readonly GraphNode[]
  readonly edges: readonly (readonly [from: string, to: string])[]
  /** Open nodes beyond the limit. */
  readonly hidden: number
}

/** Groups that someone opened or closed; others keep their default. */
export type Toggled = ReadonlyMap<string, boolean>

export const isOpen = (node: GraphNode, toggled: Toggled): boolean =>
  node.kind === 'config' || (toggled.get(node.id) ?? node.isOpenAtFirst)

interface VisibleAsk {
  readonly rootId: string
  readonly toggled: Toggled
  /** Nodes that are drawn at most. */
  readonly limit: number
  /** Drawn in any case: the node in focus. */
  readonly kept: string | null
}

/** What is drawn: of the nodes outside closed groups, those nearest to the item. */
export function toVisibleGraph(graph: Graph, { rootId, toggled, limit, kept }: VisibleAsk): VisibleGraph {
  const open = findOpen(graph, rootId, toggled)
  const ordered = nearest(graph, rootId, open)
  const far = kept === null ? -1 : ordered.findIndex(({ id }) => id === kept)
  const nodes = far < limit ? ordered.slice(0, limit) : [...ordered.slice(0, limit - 1), ordered[far] as GraphNode]
  const drawn = new Set(nodes.map(({ id }) => id))
  const edges = nodes.flatMap((node) =>
    isOpen(node, toggled) ? node.children.filter((id) => drawn.has(id)).map((id) => [node.id, id] as const) : [],
  )
  return { nodes, edges, hidden: open.size - nodes.length }
}

/** Reached from the item, or from what nothing leads to, without going through a closed group. */
function findOpen(graph: Graph, rootId: string, toggled: Toggled): Set<string> {
  const found = new Set<string>()
  const covered = new Set<string>()
  const follow = (start: string, into: Set<string>, children: (node: GraphNode) => readonly string[]): void => {
    const queue = [start]
    for (let id = queue.pop(); id !== undefined; id = queue.pop()) {
      const node = graph.get(id)
      if (node === undefined || into.has(id)) continue
      into.add(id)
      queue.push(...children(node))
    }
  }
  const led = new Set([...graph.values()].flatMap(({ children }) => children))
  const starts = [rootId, ...[...graph.keys()].filter((id) => !led.has(id))]
  // In a cycle no node is a start: an unreached node starts its own part.
  for (const id of [...starts, ...graph.keys()]) {
    if (id !== rootId && covered.has(id)) continue
    follow(id, found, (node) => (isOpen(node, toggled) ? node.children : []))
    follow(id, covered, (node) => node.children)
  }
  return found
}

/** By distance from the item, whichever way the edges lead. What is not connected to it comes last. */
function nearest(graph: Graph, rootId: string, open: ReadonlySet<string>): GraphNode[] {
  const neighbors = new Map<string, string[]>()
  const join = (one: string, other: string): void => {
    const known = neighbors.get(one)
    if (known) known.push(other)
    else neighbors.set(one, [other])
  }
  for (const id of open) {
    for (const child of graph.get(id)?.children ?? []) {
      join(id, child)
      join(child, id)
    }
  }
  const order = new Set<string>()
  for (const start of [rootId, ...open]) {
    const queue = [start]
    for (let at = 0; at < queue.length; at += 1) {
      const id = queue[at] as string
      if (order.has(id) || !open.has(id)) continue
      order.add(id)
      queue.push(...(neighbors.get(id) ?? []))
    }
  }
  return [...order].flatMap((id) => graph.get(id) ?? [])
}

/** Groups to open so that a node is seen: those that hold it, or what leads to it. */
export function findCover(graph: Graph, id: string, visible: ReadonlySet<string>): string[] {
  const cover: string[] = []
  const seen = new Set([id])
  let level = [id]
  while (level.length > 0 && !level.some((node) => visible.has(node))) {
    const wanted = new Set(level)
    const parents = [...graph.values()].filter(
      (node) => !seen.has(node.id) && node.children.some((child) => wanted.has(child)),
    )
    for (const parent of parents) seen.add(parent.id)
    cover.push(...parents.filter(({ kind }) => kind === 'group').map((parent) => parent.id))
    level = parents.map((parent) => parent.id)
  }
  return cover
}
