import type { TopologyGraph } from './createTopologyGraph.ts'

/** @param isBad whether something on the component itself makes it what it is: a check, an item of the catalog, or what was said of it */
export interface BecauseDeps {
  readonly graph: TopologyGraph
  readonly isBad: (id: string) => boolean
  /** When it became so, in epoch milliseconds; unknown times come last. */
  readonly sinceOf: (id: string) => number | null
}

/**
 * The shortest way from a component down to one that is bad by itself: of several the one that became bad first.
 *
 * @returns ids from the component to the cause, the component alone when it is its own cause, empty when nothing is
 */
export function toBecause({ graph, isBad, sinceOf }: BecauseDeps, id: string): readonly string[] {
  const cameFrom = new Map<string, string | null>([[id, null]])
  let level = [id]
  while (level.length > 0) {
    const causes = level.filter(isBad)
    if (causes.length > 0) {
      const since = (cause: string): number => sinceOf(cause) ?? Number.POSITIVE_INFINITY
      const [first] = causes.toSorted((a, b) => since(a) - since(b) || (a < b ? -1 : 1))
      const path: string[] = []
      for (let at: string | null | undefined = first; at != null; at = cameFrom.get(at)) path.unshift(at)
      return path
    }
    const next: string[] = []
    for (const parent of level) {
      for (const child of graph.edges.childrenOf.get(parent) ?? []) {
        if (cameFrom.has(child)) continue
        const health = graph.get(child)?.health
        if (health !== 'unhealthy' && health !== 'warning') continue
        cameFrom.set(child, parent)
        next.push(child)
      }
    }
    level = next
  }
  return []
}
