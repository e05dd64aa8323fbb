import { worstHealth } from '../componentHealth.ts'
import type { RolledUp } from '../createTopologyGraph.ts'
import type { ComponentRow, Estate } from '../drawComponent.ts'
import { toEdges } from '../edges.ts'
import { type ComponentSummary, summarizeChildren, summarizeLeaf } from '../summary.ts'
import type { TopologyNode } from '../topologyNode.ts'
import type { RecordedEstate } from './recorded.ts'

const NOTHING = { checks: {}, incidents: {}, insights: {} }

/**
 * The estate as it was, to be cut into pages like the present one. Health and status are those that were recorded; the counts of parts
 * are worked out from them.
 */
export function toPastEstate(recorded: RecordedEstate): Estate {
  const nodes = new Map<string, Pick<TopologyNode, 'parentId' | 'linkedTo'>>()
  const rows = new Map<string, ComponentRow>()
  for (const [id, { structure, state }] of recorded) {
    const { linked_to: linkedTo, ...fields } = structure
    const { health, status, reason } = state
    rows.set(id, { id, ...fields, health, status, status_reason: reason })
    nodes.set(id, { parentId: structure.parent_id, linkedTo })
  }
  const edges = toEdges(nodes)
  const rolled = new Map<string, RolledUp>()

  // Edges have no circles: parts are worked out before what they are parts of.
  const rollUp = (id: string): RolledUp | undefined => {
    const known = rolled.get(id)
    const state = recorded.get(id)?.state
    if (known !== undefined || state === undefined) return known
    const { health, status } = state
    const children = (edges.childrenOf.get(id) ?? []).flatMap((child) => {
      const part = rollUp(child)
      return part === undefined ? [] : [{ id: child, ...part }]
    })
    const summary: ComponentSummary =
      children.length === 0
        ? summarizeLeaf(NOTHING, health, status)
        : summarizeChildren(
            NOTHING,
            children.map((child) => ({ summary: child.summary, ownHealth: toOwnHealth(child) })),
          )
    const made = { health, status, summary, because: [] }
    rolled.set(id, made)
    return made
  }
  /** Worse than its parts: then it was bad by itself. */
  const toOwnHealth = ({ id, health }: RolledUp & { id: string }) => {
    const parts = (edges.childrenOf.get(id) ?? []).map((child) => recorded.get(child)?.state.health ?? 'unknown')
    return parts.length > 0 && worstHealth(parts) === health ? 'unknown' : health
  }
  for (const id of recorded.keys()) rollUp(id)
  return { rows, graph: { get: (id) => rolled.get(id), edges }, teams: new Map() }
}
