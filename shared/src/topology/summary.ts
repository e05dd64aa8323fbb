import type { ComponentHealth } from './componentHealth.ts'

/** By type and severity, as the backend counts incidents and insights. */
export type SeverityCounts = Readonly<Record<string, Readonly<Record<string, number>>>>

/** How a component's part of the estate is (backend reference 6.4): leaves that are counted once for each child. */
export interface ComponentSummary {
  readonly healthy: number
  readonly unhealthy: number
  readonly warning: number
  /** Of the warnings those that are unhealthy in part, among healthy parts. Ours: the peer does not tell them from others. */
  readonly mixed: number
  readonly info: number
  /** Of these nothing is known. The peer leaves them out. */
  readonly unknown: number
  readonly incidents: SeverityCounts
  /** Each once, however much of what is below is evidence in it; nothing where there is none. Ours: `incidents` adds up evidence. */
  readonly open_incidents?: number
  /** Of each item once, however many of the components have it. */
  readonly insights: SeverityCounts
  /** By status of the check; each once, like items. */
  readonly checks: Readonly<Record<string, number>>
}

/** What is counted besides the components themselves. */
export type RecordCounts = Pick<ComponentSummary, 'incidents' | 'insights' | 'checks'>

const LEAF_WORDS = ['healthy', 'unhealthy', 'warning', 'info'] as const
type LeafWord = (typeof LEAF_WORDS)[number] | 'unknown'

const findLeafWord = (status: string) => LEAF_WORDS.find((word) => word === status.toLowerCase())

/** A leaf is counted by its health; by its status only where that is one of the words, and health says nothing. */
const toLeafWord = (health: ComponentHealth, status: string): LeafWord =>
  health === 'unknown' ? (findLeafWord(status) ?? 'unknown') : health

/** A status as it is shown and found: what counts as a health in whatever letters is one word with it. */
export const toShownStatus = (status: string): string => findLeafWord(status) ?? status

const NONE = { healthy: 0, unhealthy: 0, warning: 0, mixed: 0, info: 0, unknown: 0 }

/** The summary of a component without children: it counts as one, under its health. */
export const summarizeLeaf = (
  { incidents, insights, checks }: RecordCounts,
  health: ComponentHealth,
  status: string,
): ComponentSummary => ({
  ...NONE,
  incidents,
  insights,
  checks,
  [toLeafWord(health, status)]: 1,
})

/** A child, and what is known of it without its own children. */
export interface SummedChild {
  readonly summary: ComponentSummary
  readonly ownHealth: ComponentHealth
}

/**
 * Schema reference 7.6: a child with both healthy and unhealthy parts is one warning. One whose own check fails counts as what it is,
 * though all its parts are healthy.
 *
 * @param records checks and insights of the children among them, incidents without theirs: evidence is added up
 */
export function summarizeChildren(
  { incidents, insights, checks }: RecordCounts,
  children: readonly SummedChild[],
): ComponentSummary {
  const sum = { ...NONE }
  for (const { summary: child, ownHealth } of children) {
    if (child.healthy > 0 && child.unhealthy > 0) {
      sum.warning += 1
      sum.mixed += 1
    } else if (child.unhealthy > 0 || ownHealth === 'unhealthy') sum.unhealthy += 1
    else if (ownHealth === 'warning' && child.warning === 0) sum.warning += 1
    else if (child.healthy > 0) sum.healthy += 1
    else if (child.warning + child.info === 0 && child.unknown > 0) sum.unknown += 1
    sum.warning += child.warning
    sum.mixed += child.mixed
    sum.info += child.info
  }
  const evidence = addSeverities([incidents, ...children.map(({ summary }) => summary.incidents)])
  return { ...sum, incidents: evidence, insights, checks }
}

function addCounts(parts: readonly Readonly<Record<string, number>>[]): Readonly<Record<string, number>> {
  const sum = new Map<string, number>()
  for (const part of parts) {
    for (const [key, count] of Object.entries(part)) sum.set(key, (sum.get(key) ?? 0) + count)
  }
  return inWordOrder(sum)
}

const compareKeys = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number => (a < b ? -1 : 1)

/** In the order of words, so that the same counts are the same text. */
export const inWordOrder = <Value>(counts: ReadonlyMap<string, Value>): Readonly<Record<string, Value>> =>
  Object.fromEntries([...counts].toSorted(compareKeys))

export function addSeverities(parts: readonly SeverityCounts[]): SeverityCounts {
  const byType = new Map<string, Readonly<Record<string, number>>[]>()
  for (const part of parts) {
    for (const [type, counts] of Object.entries(part)) {
      const known = byType.get(type)
      if (known === undefined) byType.set(type, [counts])
      else known.push(counts)
    }
  }
  return inWordOrder(new Map([...byType].map(([type, counts]) => [type, addCounts(counts)])))
}
