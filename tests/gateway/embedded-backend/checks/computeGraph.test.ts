import { describe, expect, it } from 'vitest'

import {
  bucketWidth,
  computeGraph,
  type GraphBucket,
} from '../../../../gateway/src/embedded-backend/checks/computeGraph.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const start = Date.parse('2026-01-01T00:00:00.000Z')

const buildBucket = (minute: number, overrides: Partial<GraphBucket> = {}): GraphBucket => ({
  at: start + minute * MINUTE,
  passed: 1,
  failed: 0,
  totalMs: 10,
  ...overrides,
})

describe('bucketWidth', () => {
  it.each([
    [HOUR, MINUTE],
    [2 * HOUR, MINUTE],
    [2 * HOUR + 1, 15 * MINUTE],
    [24 * HOUR, 15 * MINUTE],
    [24 * HOUR + 1, HOUR],
    [7 * 24 * HOUR, HOUR],
    [7 * 24 * HOUR + 1, 4 * HOUR],
  ])('for a range of %d ms is %d ms', (range, width) => {
    expect(bucketWidth(range)).toBe(width)
  })
})

describe('computeGraph', () => {
  it('averages the durations of a bucket and says whether all runs passed', () => {
    const buckets = [
      // 2 + 1 runs, 100 ms together: 100 / 3 = 33.33, rounded 33
      buildBucket(0, { passed: 2, failed: 1, totalMs: 100 }),
      // 2 runs, 15 ms together: 7.5, rounded 8
      buildBucket(1, { passed: 2, failed: 0, totalMs: 15 }),
      buildBucket(3, { passed: 0, failed: 4, totalMs: 8 }),
    ]
    const graph = computeGraph({ buckets, exact: [], sketched: [] })
    expect(graph.status).toEqual([
      { time: '2026-01-01T00:00:00.000Z', duration: 33, passed: 2, failed: 1 },
      { time: '2026-01-01T00:01:00.000Z', status: true, duration: 8, passed: 2 },
      { time: '2026-01-01T00:03:00.000Z', duration: 2, failed: 4 },
    ])
    expect(graph.uptime).toEqual({ passed: 4, failed: 5 })
  })

  it('takes percentiles of the runs, whatever the buckets average', () => {
    const exact = Array.from({ length: 100 }, (_, index) => ({ durationMs: index + 1, count: 1 }))
    const graph = computeGraph({ buckets: [buildBucket(0, { passed: 100, totalMs: 5_050 })], exact, sketched: [] })
    expect(graph.status?.[0]?.duration).toBe(51)
    expect(graph.latency).toEqual({ p95: 95, p97: 97, p99: 99, rolling1h: 0 })
  })

  it('says how far percentiles of sketches may be off, and which runs are in none', () => {
    const graph = computeGraph({
      buckets: [buildBucket(0, { passed: 10, totalMs: 1_000 }), buildBucket(60, { passed: 4, totalMs: 40 })],
      exact: [{ durationMs: 90, count: 3 }],
      sketched: [{ key: 231, count: 7 }],
    })
    expect(graph.latency).toMatchObject({ relative_error: 0.01, unmeasured: 4 })
    expect(graph.latency.p95).toBeCloseTo(100.49, 2)
  })

  it('of a check without runs has no buckets and no percentiles', () => {
    expect(computeGraph({ buckets: [], exact: [], sketched: [] })).toEqual({
      status: null,
      latency: { rolling1h: 0 },
      uptime: { passed: 0, failed: 0 },
    })
  })
})
