import type { Cause } from './component.ts'
import type { ComponentHealth } from './componentHealth.ts'
import type { TopologyNode } from './topologyNode.ts'

/** A cause with the ids of the way to it. What is no part has the name of its component. */
export interface Reason {
  readonly kind: Cause['kind']
  readonly id: string
  readonly name?: string
  readonly since: string | null
  readonly path: readonly string[]
}

/** A component below, as it is. */
export interface ReasonedChild {
  readonly id: string
  readonly health: ComponentHealth
  readonly because: readonly Reason[]
}

/** A card has room for one, its panel for some. */
const MAX_REASONS = 3

/** Whether something is wrong with a component: only then is there something to explain. */
export const isBad = (health: ComponentHealth): boolean => health === 'unhealthy' || health === 'warning'

/**
 * Why a component is bad: what failed first comes first, each by the shortest way to it. Of one that is not bad there is nothing to say.
 *
 * @param node a bad one
 * @param known its health before an expression judged it: what made that so is the reason, whatever the expression made of it
 */
export function toBecause(
  node: TopologyNode,
  known: ComponentHealth,
  children: Iterable<ReasonedChild>,
): readonly Reason[] {
  if (!isBad(known)) return [{ kind: 'expression', id: node.id, since: null, path: [] }]
  let first: readonly Reason[] = []
  for (const { kind, id, name, health, since } of node.parts) {
    if (health === known) first = withReason(first, { kind, id, name, since, path: [] })
  }
  if (node.health === known) {
    first = withReason(first, { kind: 'component', id: node.id, since: node.since ?? null, path: [] })
  }
  for (const child of children) {
    if (child.health !== known) continue
    for (const reason of child.because) first = withReason(first, reason, child.id)
  }
  return first
}

/** @param via the component that the reason was found by */
function withReason(first: readonly Reason[], reason: Reason, via?: string): readonly Reason[] {
  const last = first.at(-1)
  const length = reason.path.length + (via === undefined ? 0 : 1)
  // Of thousands of children most are done with here.
  if (first.length === MAX_REASONS && last !== undefined && compare(last, reason, length) <= 0) return first
  const found: Reason = via === undefined ? reason : { ...reason, path: [via, ...reason.path] }
  const same = first.find(({ kind, id }) => kind === found.kind && id === found.id)
  if (same !== undefined && compare(same, found, length) <= 0) return first
  return [...first.filter((one) => one !== same), found]
    .toSorted((a, b) => compare(a, b, b.path.length))
    .slice(0, MAX_REASONS)
}

/** What began at a time that nobody knows comes last; of what began together, the nearest first. */
function compare(a: Reason, b: Reason, lengthOfB: number): number {
  if (a.since !== b.since) {
    if (a.since === null || b.since === null) return a.since === null ? 1 : -1
    return a.since < b.since ? -1 : 1
  }
  return a.path.length - lengthOfB || (a.id < b.id ? -1 : a.id > b.id ? 1 : a.kind < b.kind ? -1 : 1)
}
