import type { CheckFacts } from './checkFacts.ts'
import { countHealth, type GroupHealth, type HealthCounts, toGroupHealth } from './health.ts'

/** What the row of a group shows; times ms since the epoch, durations ms. */
export interface GroupSummary {
  readonly total: number
  readonly counts: HealthCounts
  readonly health: GroupHealth
  readonly passed: number
  readonly failed: number
  /** Mean over the members that were measured. */
  readonly latencyMs: number | null
  /** Latest of the members. */
  readonly lastRunAt: number | null
  readonly transitionAt: number | null
  /** The common value, `multiple` when they differ, null when there is none. */
  readonly type: string | null
  readonly icon: string | null
  readonly namespaces: readonly string[]
}

function latest(times: readonly (number | null)[]): number | null {
  return times.reduce((last, at) => (at !== null && (last === null || at > last) ? at : last), null)
}

function common(values: readonly (string | null | undefined)[]): string | null {
  const distinct = new Set(values.map((value) => value || null))
  return distinct.size > 1 ? 'multiple' : ([...distinct][0] ?? null)
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0)

/** Sums up the members of a group. A group without members is of unknown health. */
export function summarizeGroup(checks: readonly CheckFacts[]): GroupSummary {
  const counts = countHealth(checks.map((check) => check.health))
  const latencies = checks.map((check) => check.latencyMs).filter((latencyMs) => latencyMs !== null)
  return {
    total: checks.length,
    counts,
    health: toGroupHealth(counts),
    passed: sum(checks.map((check) => check.passed)),
    failed: sum(checks.map((check) => check.failed)),
    latencyMs: latencies.length > 0 ? sum(latencies) / latencies.length : null,
    lastRunAt: latest(checks.map((check) => check.lastRunAt)),
    transitionAt: latest(checks.map((check) => check.transitionAt)),
    type: common(checks.map((check) => check.row.type)),
    icon: common(checks.map((check) => check.row.icon)),
    namespaces: [
      ...new Set(checks.map((check) => check.row.namespace || check.row.canary_namespace).filter(Boolean)),
    ].toSorted(),
  }
}
