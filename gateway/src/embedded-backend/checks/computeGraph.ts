import { z } from 'zod'

import { createPercentiles, type CountedDuration, type CountedKey, SKETCH_ERROR } from './durationSketch.ts'

/** Runs of one time bucket of a check. */
export interface GraphBucket {
  /** Center of the bucket, milliseconds since the epoch. */
  readonly at: number
  readonly passed: number
  readonly failed: number
  /** Sum of the durations of its runs, milliseconds. */
  readonly totalMs: number
}

export interface GraphRuns {
  /** Oldest first, none without a run. */
  readonly buckets: readonly GraphBucket[]
  /** Runs of which each is still there. */
  readonly exact: readonly CountedDuration[]
  /** Runs of which aggregates keep a sketch. Aggregates without one have their runs in the buckets alone. */
  readonly sketched: readonly CountedKey[]
}

/** The answer to GET /canary/api/graph. Buckets oldest first; false, zero and empty are left out as the wire has it. */
export const CheckGraphSchema = z.object({
  status: z
    .array(
      z.object({
        time: z.string(),
        status: z.literal(true).optional(),
        duration: z.number(),
        passed: z.number().optional(),
        failed: z.number().optional(),
      }),
    )
    .nullable(),
  latency: z.object({
    p99: z.number().optional(),
    p97: z.number().optional(),
    p95: z.number().optional(),
    rolling1h: z.number(),
    /** Extension: the percentiles are within this share of the truth; absent when they are exact. */
    relative_error: z.number().optional(),
    /** Extension: runs of the range that are in no percentile, because only their sum was kept. */
    unmeasured: z.number().optional(),
  }),
  uptime: z.object({ passed: z.number(), failed: z.number() }),
})
export type CheckGraph = z.infer<typeof CheckGraphSchema>

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

/** Width of a bucket for a range of this length, both in milliseconds. */
export function bucketWidth(rangeMs: number): number {
  if (rangeMs <= 2 * HOUR_MS) return MINUTE_MS
  if (rangeMs <= 24 * HOUR_MS) return 15 * MINUTE_MS
  return rangeMs <= 7 * 24 * HOUR_MS ? HOUR_MS : 4 * HOUR_MS
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0)

export function computeGraph({ buckets, exact, sketched }: GraphRuns): CheckGraph {
  const points = buckets.map(({ at, passed, failed, totalMs }) => ({
    time: new Date(at).toISOString(),
    ...(failed === 0 ? { status: true as const } : {}),
    duration: Math.round(totalMs / (passed + failed)),
    ...(passed > 0 ? { passed } : {}),
    ...(failed > 0 ? { failed } : {}),
  }))
  const passed = sum(buckets.map((bucket) => bucket.passed))
  const failed = sum(buckets.map((bucket) => bucket.failed))
  // Of the runs themselves, as on the board: means of buckets have no extremes left.
  const percentile = createPercentiles(exact, sketched)
  const percentiles = Object.entries({ p99: 0.99, p97: 0.97, p95: 0.95 })
    .map(([name, share]) => [name, toMilliseconds(percentile(share))] as const)
    .filter(([, value]) => value > 0)
  const measured = sum([...exact, ...sketched].map(({ count }) => count))
  const unmeasured = Math.max(0, passed + failed - measured)
  return {
    status: points.length > 0 ? points : null,
    latency: {
      ...Object.fromEntries(percentiles),
      rolling1h: 0,
      ...(sketched.length > 0 && { relative_error: SKETCH_ERROR }),
      ...(unmeasured > 0 && { unmeasured }),
    },
    uptime: { passed, failed },
  }
}

/** To the hundredth: a sketch is not more precise than that. */
const toMilliseconds = (value: number): number => Math.round(value * 100) / 100
