import type { WindowStats } from './runWindow.ts'

/** Runs of one time bucket of a check. */
export interface GraphBucket {
  /** Centre of the bucket, milliseconds since the epoch. */
  readonly at: number
  readonly passed: number
  readonly failed: number
  /** Sum of the durations of its runs, milliseconds. */
  readonly totalMs: number
}

/** The answer to GET /canary/api/graph. Buckets oldest first; false, zero and empty are left out as the wire has it. */
export interface CheckGraph {
  status: { time: string; status?: true; duration: number; passed?: number; failed?: number }[] | null
  latency: { p99?: number; p97?: number; p95?: number; rolling1h: number }
  uptime: Pick<WindowStats, 'passed' | 'failed'>
}

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
/** Percentiles look at this many of the newest buckets. */
const PERCENTILE_BUCKETS = 100

/** Width of a bucket for a range of this length, both in milliseconds. */
export function bucketWidth(rangeMs: number): number {
  if (rangeMs <= 2 * HOUR_MS) return MINUTE_MS
  if (rangeMs <= 24 * HOUR_MS) return 15 * MINUTE_MS
  return rangeMs <= 7 * 24 * HOUR_MS ? HOUR_MS : 4 * HOUR_MS
}

/**
 * Percentile between the values: position `n × share + 0.5`, counted from 1, linear between neighbours.
 * Only real points take part; the original fills up with zeros when there are fewer than 100.
 */
export function interpolatedPercentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  const position = Math.min(sorted.length - 1, Math.max(0, sorted.length * share + 0.5 - 1))
  const lower = sorted[Math.floor(position)] ?? 0
  const upper = sorted[Math.ceil(position)] ?? 0
  return lower + (upper - lower) * (position - Math.floor(position))
}

/** @param buckets oldest first, none without a run */
export function computeGraph(buckets: readonly GraphBucket[]): CheckGraph {
  const points = buckets.map(({ at, passed, failed, totalMs }) => ({
    time: new Date(at).toISOString(),
    ...(failed === 0 ? { status: true as const } : {}),
    duration: Math.round(totalMs / (passed + failed)),
    ...(passed > 0 ? { passed } : {}),
    ...(failed > 0 ? { failed } : {}),
  }))
  const durations = points.slice(-PERCENTILE_BUCKETS).map((point) => point.duration)
  const percentiles = Object.entries({ p99: 0.99, p97: 0.97, p95: 0.95 })
    .map(([name, share]) => [name, interpolatedPercentile(durations, share)] as const)
    .filter(([, value]) => value > 0)
  return {
    status: points.length > 0 ? points : null,
    latency: { ...Object.fromEntries(percentiles), rolling1h: 0 },
    uptime: {
      passed: buckets.reduce((sum, bucket) => sum + bucket.passed, 0),
      failed: buckets.reduce((sum, bucket) => sum + bucket.failed, 0),
    },
  }
}
