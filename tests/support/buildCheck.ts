import { type CheckFacts, type CheckSummary, CheckSummarySchema, toCheckFacts } from '@watchroom/shared/health'

/** A healthy row of the board; everything may be overridden. */
export function buildCheck(overrides: Partial<CheckSummary> = {}): CheckSummary {
  const id = overrides.id ?? 'check-1'
  return CheckSummarySchema.parse({
    id,
    canary_id: `canary-of-${id}`,
    canary_name: 'canary',
    canary_namespace: 'default',
    name: id,
    type: 'http',
    status: 'healthy',
    labels: {},
    uptime: { passed: 10, failed: 0 },
    latency: { p95: 12 },
    ...overrides,
  })
}

export const buildFacts = (overrides: Partial<CheckSummary> = {}): CheckFacts => toCheckFacts(buildCheck(overrides))
