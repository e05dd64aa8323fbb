import type { GraphLooks } from '../../../preferences/relationships.ts'
import type { Place } from './layout.ts'

interface PlacedNode {
  readonly id: string
  readonly place: Place
}

interface NextNode {
  readonly key: string
  readonly from: string
  readonly nodes: readonly PlacedNode[]
  readonly edges: readonly (readonly [from: string, to: string])[]
  readonly direction: GraphLooks['direction']
}

/**
 * Where an arrow key leads: along the edges to the nearest child or parent, across them to the nearest card of the same rank.
 *
 * @returns null where nothing is in that direction
 */
export function nextNode({ key, from, nodes, edges, direction }: NextNode): string | null {
  const way = toWay(key, direction)
  const here = nodes.find(({ id }) => id === from)
  if (way === null || here === undefined) return null
  const along = ({ x, y }: Place): number => (direction === 'LR' ? x : y)
  const across = ({ x, y }: Place): number => (direction === 'LR' ? y : x)
  const isNeighbor = (id: string): boolean =>
    way.axis === 'edge' &&
    edges.some(([parent, child]) =>
      way.step === 1 ? parent === from && child === id : child === from && parent === id,
    )
  const isInRank = ({ place }: PlacedNode): boolean =>
    way.axis === 'rank' &&
    along(place) === along(here.place) &&
    Math.sign(across(place) - across(here.place)) === way.step
  const distance = ({ place }: PlacedNode): number => Math.abs(across(place) - across(here.place))
  const candidates = nodes.filter((node) => isNeighbor(node.id) || isInRank(node))
  return candidates.toSorted((one, other) => distance(one) - distance(other))[0]?.id ?? null
}

function toWay(key: string, direction: GraphLooks['direction']): { axis: 'edge' | 'rank'; step: 1 | -1 } | null {
  const [next, previous, after, before] =
    direction === 'LR'
      ? ['ArrowRight', 'ArrowLeft', 'ArrowDown', 'ArrowUp']
      : ['ArrowDown', 'ArrowUp', 'ArrowRight', 'ArrowLeft']
  if (key === next || key === previous) return { axis: 'edge', step: key === next ? 1 : -1 }
  if (key === after || key === before) return { axis: 'rank', step: key === after ? 1 : -1 }
  return null
}
