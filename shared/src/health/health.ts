import type { CheckHealth, CheckSummary } from './checkSummary.ts'

/**
 * Health of one check as shown: a check that never ran, whose status is a word we do not know, or whose agent went silent is
 * unknown. What a silent agent last said is never shown as healthy.
 */
export type Health = CheckHealth | 'unknown'

/** Health of several checks together. */
export type GroupHealth = 'good' | 'mixed' | 'bad' | 'unknown'

export interface HealthCounts {
  healthy: number
  unhealthy: number
  unknown: number
}

/** Unknown for as long as the check's agent is silent, and for every status other than healthy and unhealthy. */
export function toHealth(row: Pick<CheckSummary, 'status'> & Partial<Pick<CheckSummary, 'unknown_since'>>): Health {
  if (typeof row.unknown_since === 'string') return 'unknown'
  return row.status === 'healthy' || row.status === 'unhealthy' ? row.status : 'unknown'
}

export function countHealth(healths: Iterable<Health>): HealthCounts {
  const counts: HealthCounts = { healthy: 0, unhealthy: 0, unknown: 0 }
  for (const health of healths) counts[health] += 1
  return counts
}

/**
 * Good if all members are healthy, bad if all are unhealthy, else mixed (first specification, section 4).
 * A group of which nothing is known yet is unknown: calling it mixed would claim a failure nobody saw.
 */
export function toGroupHealth({ healthy, unhealthy, unknown }: HealthCounts): GroupHealth {
  if (healthy === 0 && unhealthy === 0) return 'unknown'
  if (unhealthy === 0 && unknown === 0) return 'good'
  return healthy === 0 && unknown === 0 ? 'bad' : 'mixed'
}
