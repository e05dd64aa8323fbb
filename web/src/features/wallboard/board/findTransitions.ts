import type { CheckSummary } from '@watchroom/shared/health'
import { toCheckTitle, toHealth } from '@watchroom/shared/health'

export interface Failure {
  readonly checkId: string
  readonly title: string
}

/** Health by check id, and the row it was read from. */
export type HealthMemory = ReadonlyMap<string, CheckSummary>

/**
 * Checks that began to fail between two moments. A check seen for the first time fails already: nobody saw it happen.
 *
 * @returns the memory for the next call, and the failures in the order of the rows
 */
export function findNewFailures(
  before: HealthMemory | null,
  rows: readonly CheckSummary[],
): { memory: HealthMemory; failures: Failure[] } {
  const memory = new Map(rows.map((row) => [row.id, row]))
  if (before === null) return { memory, failures: [] }
  const failures = rows.filter((row) => {
    const earlier = before.get(row.id)
    return (
      earlier !== undefined && earlier !== row && toHealth(earlier) !== 'unhealthy' && toHealth(row) === 'unhealthy'
    )
  })
  return { memory, failures: failures.map((row) => ({ checkId: row.id, title: toCheckTitle(row) })) }
}
