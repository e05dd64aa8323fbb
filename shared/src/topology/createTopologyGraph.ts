import { COMPONENT_HEALTHS, type ComponentHealth, toComponentHealth, worstHealth } from './componentHealth.ts'
import { toEdges, type TopologyEdges } from './edges.ts'
import {
  type ComponentSummary,
  countParts,
  type PartsBelow,
  summarizeChildren,
  summarizeLeaf,
  unitePartsBelow,
} from './summary.ts'
import { isBad, type Reason, toBecause } from './toBecause.ts'
import type { NodePart, TopologyNode } from './topologyNode.ts'

/** Of a word that an expression says in its problem: as much tells what went wrong. */
const MAX_QUOTED = 100

/** What a component is with all that is below it. */
export interface RolledUp {
  readonly health: ComponentHealth
  readonly status: string
  readonly summary: ComponentSummary
  /** Where it is bad. */
  readonly because: readonly Reason[]
  /** Open incidents that it or anything below it is evidence in, each once; nothing where there is none. */
  readonly openIncidents?: readonly string[]
  readonly parts: PartsBelow
  /** Why an expression gave no answer. */
  readonly problem?: string
}

/** What an expression says, or why it says nothing. `self` is what the component would be without it, `id` whose expression it is. */
export type Judge = (
  expression: string,
  seen: { readonly summary: ComponentSummary; readonly self: { readonly health: string; readonly status: string } },
  id: string,
) => { readonly text: string } | { readonly problem: string }

export interface TopologyGraph {
  /** Of a component that is there. */
  get(id: string): RolledUp | undefined
  readonly edges: TopologyEdges
  /** Puts components in the place of those with the same ids. @returns the ids of those that are different with it, ancestors included */
  set(nodes: Iterable<TopologyNode>): ReadonlySet<string>
  delete(ids: Iterable<string>): ReadonlySet<string>
}

const sameEdges = (a: TopologyNode, b: TopologyNode): boolean =>
  a.parentId === b.parentId &&
  a.linkedTo.length === b.linkedTo.length &&
  a.linkedTo.every((id, index) => id === b.linkedTo[index])

/** What is known of a component without its children. */
const toOwnHealth = ({ health, parts }: TopologyNode): ComponentHealth =>
  worstHealth([health, ...parts.map((part) => part.health)])

/**
 * The estate, rolled up by the rules of schema reference 7.6. A component that changes costs its ancestors alone; where parents or links
 * change, the edges are worked out anew, and what has other children or children that are different.
 * @param judge is asked again only where what it sees has changed
 */
export function createTopologyGraph(given: Iterable<TopologyNode>, judge: Judge): TopologyGraph {
  const nodes = new Map<string, TopologyNode>()
  const rolled = new Map<string, RolledUp>()
  let edges: TopologyEdges = toEdges(nodes)

  const rollUp = (node: TopologyNode): RolledUp => {
    const children = (edges.childrenOf.get(node.id) ?? []).flatMap((id) => {
      const [child, part] = [nodes.get(id), rolled.get(id)]
      return child === undefined || part === undefined ? [] : [{ ...part, id, ownHealth: toOwnHealth(child) }]
    })
    const known = worstHealth([toOwnHealth(node), ...children.map(({ health }) => health)])
    const openIncidents = unite([node, ...children])
    const parts = unitePartsBelow(
      node.parts,
      children.map((child) => child.parts),
    )
    const records = { ...countParts(parts), incidents: node.incidents }
    const toSummary = (health: ComponentHealth, status: string): ComponentSummary => ({
      ...(children.length === 0 ? summarizeLeaf(records, health, status) : summarizeChildren(records, children)),
      ...(openIncidents.length > 0 ? { open_incidents: openIncidents.length } : {}),
    })
    const seen = { summary: toSummary(known, node.status), self: { health: known, status: node.status } }
    const judged = node.healthExpr === undefined ? null : judge(node.healthExpr, seen, node.id)
    const worded = node.statusExpr === undefined ? null : judge(node.statusExpr, seen, node.id)
    const problems = [
      judged === null ? null : toHealthProblem(judged),
      worded !== null && 'problem' in worded ? `statusExpr: ${worded.problem}` : null,
    ].filter((problem) => problem !== null)
    const health = judged === null ? known : 'text' in judged ? toComponentHealth(judged.text) : 'unknown'
    const status = worded === null ? node.status : 'text' in worded ? worded.text : 'unknown'
    return {
      health,
      status,
      summary: toSummary(health, status),
      because: isBad(health) ? toBecause(node, known, children) : [],
      parts,
      ...(openIncidents.length > 0 ? { openIncidents } : {}),
      ...(problems.length > 0 ? { problem: problems.join('; ') } : {}),
    }
  }

  /** Children before their parents: those named, and all above what becomes different. */
  const recompute = (touched: Iterable<string>): Set<string> => {
    const open = new Set<string>()
    const ordered: string[] = []
    const visit = (first: string): void => {
      const stack: { id: string; isDone: boolean }[] = [{ id: first, isDone: false }]
      for (let step = stack.pop(); step !== undefined; step = stack.pop()) {
        if (step.isDone) ordered.push(step.id)
        else if (!open.has(step.id)) {
          open.add(step.id)
          stack.push({ id: step.id, isDone: true })
          for (const parent of edges.parentsOf.get(step.id) ?? []) stack.push({ id: parent, isDone: false })
        }
      }
    }
    const direct = new Set(touched)
    for (const id of direct) if (nodes.has(id)) visit(id)
    const different = new Set<string>()
    for (const id of ordered.toReversed()) {
      const node = nodes.get(id)
      if (node === undefined) continue
      if (!direct.has(id) && !edges.childrenOf.get(id)?.some((child) => different.has(child) || direct.has(child)))
        continue
      const before = rolled.get(id)
      const after = rollUp(node)
      rolled.set(id, after)
      if (before === undefined || !isSame(before, after)) different.add(id)
    }
    return different
  }

  /** @returns those whose children are others now */
  const reconnect = (): string[] => {
    const before = edges.childrenOf
    edges = toEdges(nodes)
    return [...edges.childrenOf].flatMap(([id, children]) => {
      const known = before.get(id)
      const isAsBefore = known?.length === children.length && children.every((child, index) => child === known[index])
      return isAsBefore ? [] : [id]
    })
  }

  const set: TopologyGraph['set'] = (changed) => {
    const touched = new Set<string>()
    let isReconnected = false
    for (const node of changed) {
      const before = nodes.get(node.id)
      isReconnected ||= before === undefined || !sameEdges(before, node)
      nodes.set(node.id, node)
      touched.add(node.id)
    }
    return recompute(isReconnected ? [...touched, ...reconnect()] : touched)
  }

  set(given)
  return {
    get: (id) => rolled.get(id),
    get edges() {
      return edges
    },
    set,
    delete: (ids) => {
      const gone = new Set<string>()
      for (const id of ids) {
        if (!nodes.delete(id)) continue
        rolled.delete(id)
        gone.add(id)
      }
      return new Set([...gone, ...recompute(reconnect())])
    },
  }
}

const NONE: readonly string[] = []

/** Each once, in an order that does not depend on who was asked first. */
function unite(parts: readonly Pick<RolledUp, 'openIncidents'>[]): readonly string[] {
  const known = parts.flatMap(({ openIncidents }) => openIncidents ?? NONE)
  return known.length === 0 ? NONE : [...new Set(known)].toSorted()
}

/** Why an expression says nothing about health: it fails, or its word is no health. */
function toHealthProblem(judged: ReturnType<Judge>): string | null {
  if ('problem' in judged) return `healthExpr: ${judged.problem}`
  const word = judged.text.toLowerCase()
  if (COMPONENT_HEALTHS.some((health) => health === word)) return null
  return `healthExpr: “${judged.text.slice(0, MAX_QUOTED)}” is none of ${COMPONENT_HEALTHS.join(', ')}`
}

/** What differs in nothing wakes nobody. But for the parts both are plain values whose keys come in the same order. */
const isSame = (a: RolledUp, b: RolledUp): boolean =>
  JSON.stringify(a) === JSON.stringify(b) &&
  a.parts.size === b.parts.size &&
  [...a.parts].every(([key, part]) => isCountedAlike(part, b.parts.get(key)))

/** Others that count as much here may be known above already. */
const isCountedAlike = (a: NodePart, b: NodePart | undefined): boolean =>
  a === b || (b !== undefined && a.status === b.status && JSON.stringify(a.insights) === JSON.stringify(b.insights))
