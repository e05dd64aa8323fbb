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
  readonly insights: SeverityCounts
  /** By status of the check. */
  readonly checks: Readonly<Record<string, number>>
}

/** What is known of a component itself, before that of its children. */
export type OwnCounts = Pick<ComponentSummary, 'incidents' | 'insights' | 'checks'>

const LEAF_WORDS = ['healthy', 'unhealthy', 'warning', 'info'] as const
type LeafWord = (typeof LEAF_WORDS)[number] | 'unknown'

/** A leaf is counted by its health; by its status only where that is one of the words, and health says nothing. */
function toLeafWord(health: ComponentHealth, status: string): LeafWord {
  return health === 'unknown' ? (LEAF_WORDS.find((word) => word === status.toLowerCase()) ?? 'unknown') : health
}

const NONE = { healthy: 0, unhealthy: 0, warning: 0, mixed: 0, info: 0, unknown: 0 }

export const summarizeLeaf = (own: OwnCounts, health: ComponentHealth, status: string): ComponentSummary => ({
  ...NONE,
  ...own,
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
 */
export function summarizeChildren(own: OwnCounts, children: readonly SummedChild[]): ComponentSummary {
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
  const summaries = children.map(({ summary }) => summary)
  return {
    ...sum,
    incidents: addSeverities([own.incidents, ...summaries.map(({ incidents }) => incidents)]),
    insights: addSeverities([own.insights, ...summaries.map(({ insights }) => insights)]),
    checks: addCounts([own.checks, ...summaries.map(({ checks }) => checks)]),
  }
}

function addCounts(parts: readonly Readonly<Record<string, number>>[]): Record<string, number> {
  const sum = new Map<string, number>()
  for (const part of parts) {
    for (const [key, count] of Object.entries(part)) sum.set(key, (sum.get(key) ?? 0) + count)
  }
  return Object.fromEntries(sum)
}

function addSeverities(parts: readonly SeverityCounts[]): SeverityCounts {
  const byType = new Map<string, Readonly<Record<string, number>>[]>()
  for (const part of parts) {
    for (const [type, counts] of Object.entries(part)) {
      const known = byType.get(type)
      if (known === undefined) byType.set(type, [counts])
      else known.push(counts)
    }
  }
  return Object.fromEntries([...byType].map(([type, counts]) => [type, addCounts(counts)]))
}
