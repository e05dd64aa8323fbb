import { COMPONENT_HEALTHS, type ComponentHealth, toComponentHealth, worstHealth } from './componentHealth.ts'
import { toEdges, type TopologyEdges } from './edges.ts'
import {
  areCountedAlike,
  countParts,
  findDifferent,
  type PartsBelow,
  unitePartsBelow,
  updateParts,
} from './partsBelow.ts'
import { type ComponentSummary, summarizeChildren, summarizeLeaf } from './summary.ts'
import { isBad, type Reason, toBecause } from './toBecause.ts'
import type { TopologyNode } from './topologyNode.ts'

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

/** Which parts count differently; all where they may be others. */
type PartKeys = ReadonlySet<string> | 'all'

const NO_KEYS: PartKeys = new Set()

const join = (keys: readonly (PartKeys | undefined)[]): PartKeys => {
  const joined = new Set<string>()
  for (const each of keys) {
    if (each === 'all') return each
    for (const key of each ?? NO_KEYS) joined.add(key)
  }
  return joined
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
  const partsBelow = new Map<string, PartsBelow>()
  let edges: TopologyEdges = toEdges(nodes)

  const rollUp = (node: TopologyNode, parts: PartsBelow): RolledUp => {
    const children = (edges.childrenOf.get(node.id) ?? []).flatMap((id) => {
      const [child, part] = [nodes.get(id), rolled.get(id)]
      if (child === undefined || part === undefined) return []
      const { health, summary, because, openIncidents } = part
      return { id, ownHealth: toOwnHealth(child), health, summary, because, openIncidents }
    })
    const known = worstHealth([toOwnHealth(node), ...children.map(({ health }) => health)])
    const openIncidents = unite([node, ...children])
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
      ...(openIncidents.length > 0 ? { openIncidents } : {}),
      ...(problems.length > 0 ? { problem: problems.join('; ') } : {}),
    }
  }

  /** Counts anew what is below, or only those of it that may count differently. */
  const countBelow = (node: TopologyNode, keys: PartKeys): { parts: PartsBelow; changed: PartKeys } => {
    const below = (edges.childrenOf.get(node.id) ?? []).flatMap((id) => partsBelow.get(id) ?? [])
    const before = partsBelow.get(node.id)
    if (before !== undefined && keys !== 'all') {
      return { parts: before, changed: updateParts(before, keys, node.parts, below) }
    }
    const parts = unitePartsBelow(node.parts, below)
    partsBelow.set(node.id, parts)
    return { parts, changed: before !== undefined && areCountedAlike(before, parts) ? NO_KEYS : 'all' }
  }

  /** Children before their parents: those named, and all above what becomes different. @param touched with the parts of their own */
  const recompute = (touched: ReadonlyMap<string, PartKeys>): Set<string> => {
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
    for (const id of touched.keys()) if (nodes.has(id)) visit(id)
    /** With the parts that count differently. */
    const different = new Map<string, PartKeys>()
    for (const id of ordered.toReversed()) {
      const node = nodes.get(id)
      if (node === undefined) continue
      const own = touched.get(id)
      const below = (edges.childrenOf.get(id) ?? []).filter((child) => different.has(child) || touched.has(child))
      if (own === undefined && below.length === 0) continue
      const keys = join([own, ...below.map((child) => different.get(child))])
      const { parts, changed } = countBelow(node, keys)
      const before = rolled.get(id)
      const after = rollUp(node, parts)
      rolled.set(id, after)
      if (before === undefined || changed === 'all' || changed.size > 0 || !isSame(before, after)) {
        different.set(id, changed)
      }
    }
    return new Set(different.keys())
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
    const touched = new Map<string, PartKeys>()
    let isReconnected = false
    for (const node of changed) {
      const before = nodes.get(node.id)
      isReconnected ||= before === undefined || !sameEdges(before, node)
      nodes.set(node.id, node)
      const keys = (before && findDifferent(before.parts, node.parts)) ?? 'all'
      touched.set(node.id, join([touched.get(node.id), keys]))
    }
    if (isReconnected) for (const id of reconnect()) touched.set(id, 'all')
    return recompute(touched)
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
        partsBelow.delete(id)
        gone.add(id)
      }
      return new Set([...gone, ...recompute(new Map(reconnect().map((id) => [id, 'all'])))])
    },
  }
}

const NONE: readonly string[] = []

/** Each once, in an order that does not depend on who was asked first. */
function unite(parts: readonly { readonly openIncidents?: readonly string[] | undefined }[]): readonly string[] {
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

/** What differs in nothing wakes nobody. Both are plain values whose keys come in the same order. */
const isSame = (a: RolledUp, b: RolledUp): boolean => JSON.stringify(a) === JSON.stringify(b)
