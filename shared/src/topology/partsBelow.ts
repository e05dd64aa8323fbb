// Checks and items of a component and of all below it, each once, and what is counted of them. Where one of ten thousand changes, the
// counts of those above change by it, and nothing is counted anew.
import { addSeverities, inWordOrder, type RecordCounts, type SeverityCounts } from './summary.ts'
import type { NodePart } from './topologyNode.ts'

/** By what and which they are. */
export interface PartsBelow {
  readonly parts: Map<string, NodePart>
  /** Checks by status. */
  readonly checks: Map<string, number>
  /** Of items that have some. */
  readonly insights: Map<string, SeverityCounts>
}

const keyOf = ({ kind, id }: NodePart): string => `${kind} ${id}`

/** Those with most parts first: their maps are copied as they are. */
const mostFirst = (below: readonly PartsBelow[]): readonly PartsBelow[] =>
  below.filter(({ parts }) => parts.size > 0).toSorted((a, b) => b.parts.size - a.parts.size)

/** One of two components may be the other's part, or have the same check or item. */
export function unitePartsBelow(own: readonly NodePart[], below: readonly PartsBelow[]): PartsBelow {
  const [first, ...others] = mostFirst(below)
  const united = {
    parts: new Map(first?.parts),
    checks: new Map(first?.checks),
    insights: new Map(first?.insights),
  }
  for (const part of own) put(united, keyOf(part), part)
  for (const { parts } of others) for (const [key, part] of parts) put(united, key, part)
  return united
}

/**
 * Takes over what some of the parts have become.
 *
 * @param united of the same parts
 * @param keys of those that may count differently now
 * @returns those that do
 */
export function updateParts(
  united: PartsBelow,
  keys: Iterable<string>,
  own: readonly NodePart[],
  below: readonly PartsBelow[],
): ReadonlySet<string> {
  const [first, ...others] = mostFirst(below)
  const find = (key: string): NodePart | undefined =>
    others.findLast(({ parts }) => parts.has(key))?.parts.get(key) ??
    own.findLast((part) => keyOf(part) === key) ??
    first?.parts.get(key)
  const different = new Set<string>()
  for (const key of keys) {
    const part = find(key)
    if (part === undefined || countsAlike(part, united.parts.get(key))) continue
    put(united, key, part)
    different.add(key)
  }
  return different
}

/** The keys of parts that count differently; null where they are not the same parts. */
export function findDifferent(before: readonly NodePart[], after: readonly NodePart[]): ReadonlySet<string> | null {
  if (before.length !== after.length) return null
  const different = new Set<string>()
  for (const [index, part] of after.entries()) {
    const known = before[index]
    if (known === undefined || keyOf(known) !== keyOf(part)) return null
    if (!countsAlike(known, part)) different.add(keyOf(part))
  }
  return different
}

export const areCountedAlike = (a: PartsBelow, b: PartsBelow): boolean =>
  a.parts.size === b.parts.size && [...a.parts].every(([key, part]) => countsAlike(part, b.parts.get(key)))

export const countParts = ({ checks, insights }: PartsBelow): Pick<RecordCounts, 'checks' | 'insights'> => ({
  checks: inWordOrder(checks),
  insights: addSeverities([...insights.values()]),
})

const countsAlike = (a: NodePart, b: NodePart | undefined): boolean =>
  a === b || (b !== undefined && a.status === b.status && JSON.stringify(a.insights) === JSON.stringify(b.insights))

function put({ parts, checks, insights }: PartsBelow, key: string, part: NodePart): void {
  const count = ({ kind, status }: NodePart, by: number): void => {
    if (kind !== 'check' || status === undefined) return
    const sum = (checks.get(status) ?? 0) + by
    if (sum === 0) checks.delete(status)
    else checks.set(status, sum)
  }
  const known = parts.get(key)
  if (known !== undefined) count(known, -1)
  count(part, 1)
  parts.set(key, part)
  if (part.insights === undefined) insights.delete(key)
  else insights.set(key, part.insights)
}
