import { describe, expect, it } from 'vitest'

import {
  bucketWidth,
  computeGraph,
  type GraphBucket,
  interpolatedPercentile,
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

describe('interpolatedPercentile', () => {
  it('interpolates between neighbours', () => {
    // n = 4: position 4 × 0.95 + 0.5 = 4.3, beyond the last value, so the last value
    expect(interpolatedPercentile([30, 10, 20, 40], 0.95)).toBe(40)
    // n = 4: position 4 × 0.6 + 0.5 = 2.9: 20 + 0.9 × (30 − 20) = 29
    expect(interpolatedPercentile([30, 10, 20, 40], 0.6)).toBeCloseTo(29, 9)
    // n = 10 (10, 20 … 100): position 10 × 0.9 + 0.5 = 9.5: 90 + 0.5 × 10 = 95
    const tens = Array.from({ length: 10 }, (_, index) => (index + 1) * 10)
    expect(interpolatedPercentile(tens, 0.9)).toBeCloseTo(95, 9)
    // n = 10: position 10 × 0.02 + 0.5 = 0.7, before the first value
    expect(interpolatedPercentile(tens, 0.02)).toBe(10)
  })

  it('of one value is the value, of none is 0', () => {
    expect(interpolatedPercentile([7], 0.99)).toBe(7)
    expect(interpolatedPercentile([], 0.99)).toBe(0)
  })
})

describe('computeGraph', () => {
  it('averages the durations of a bucket and says whether all runs passed', () => {
    const graph = computeGraph([
      // 2 + 1 runs, 100 ms together: 100 / 3 = 33.33, rounded 33
      buildBucket(0, { passed: 2, failed: 1, totalMs: 100 }),
      // 2 runs, 15 ms together: 7.5, rounded 8
      buildBucket(1, { passed: 2, failed: 0, totalMs: 15 }),
      buildBucket(3, { passed: 0, failed: 4, totalMs: 8 }),
    ])
    expect(graph.status).toEqual([
      { time: '2026-01-01T00:00:00.000Z', duration: 33, passed: 2, failed: 1 },
      { time: '2026-01-01T00:01:00.000Z', status: true, duration: 8, passed: 2 },
      { time: '2026-01-01T00:03:00.000Z', duration: 2, failed: 4 },
    ])
    expect(graph.uptime).toEqual({ passed: 4, failed: 5 })
  })

  it('takes percentiles of the bucket averages, of real buckets only', () => {
    // Averages 10, 20, 30. p95: position 3 × 0.95 + 0.5 = 3.35, beyond the last value: 30. Zeros would give less.
    const graph = computeGraph([10, 20, 30].map((totalMs, minute) => buildBucket(minute, { totalMs })))
    expect(graph.latency).toEqual({ p95: 30, p97: 30, p99: 30, rolling1h: 0 })
  })

  it('takes percentiles of the newest 100 buckets', () => {
    // 50 old buckets of 9,000 ms take no part; 1 to 100 ms: p95 is position 100 × 0.95 + 0.5 = 95.5: 95.5 ms
    const old = Array.from({ length: 50 }, (_, minute) => buildBucket(minute, { totalMs: 9_000 }))
    const recent = Array.from({ length: 100 }, (_, minute) => buildBucket(50 + minute, { totalMs: minute + 1 }))
    const { latency } = computeGraph([...old, ...recent])
    expect(latency.p95).toBeCloseTo(95.5, 9)
    expect(latency.p97).toBeCloseTo(97.5, 9)
    expect(latency.p99).toBeCloseTo(99.5, 9)
  })

  it('of a check without runs has no buckets and no percentiles', () => {
    expect(computeGraph([])).toEqual({ status: null, latency: { rolling1h: 0 }, uptime: { passed: 0, failed: 0 } })
  })
})
