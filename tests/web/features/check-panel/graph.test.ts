import { describe, expect, it } from 'vitest'

import {
  CheckGraphSchema,
  condensePoints,
  MAX_GRAPH_POINTS,
  toCheckGraph,
  toGapMs,
} from '../../../../web/src/features/check-panel/graph.ts'

const START = Date.parse('2026-01-01T00:00:00Z')
const window = { from: START, to: START + 3_600_000 }
const toPoints = (status: unknown) => toCheckGraph(CheckGraphSchema.parse({ status }), window).points

describe('toCheckGraph', () => {
  it('reads buckets with their counts, and one run where nothing is counted', () => {
    expect(
      toPoints([
        { time: '2026-01-01T00:01:00Z', status: true, duration: 5, passed: 4 },
        { time: '2026-01-01T00:02:00Z', duration: 6, passed: 1, failed: 2 },
        { time: '2026-01-01T00:03:00', status: true, duration: 7 },
        { time: '2026-01-01T00:04:00Z', duration: 8 },
      ]),
    ).toEqual([
      { at: START + 60_000, durationMs: 5, passed: 4, failed: 0 },
      { at: START + 120_000, durationMs: 6, passed: 1, failed: 2 },
      { at: START + 180_000, durationMs: 7, passed: 1, failed: 0 },
      { at: START + 240_000, durationMs: 8, passed: 0, failed: 1 },
    ])
  })

  it('keeps the newest bucket on the axis when its middle is still to come', () => {
    expect(toPoints([{ time: '2026-01-01T01:05:00Z', status: true, duration: 5 }])[0]?.at).toBe(window.to)
    expect(toPoints([{ time: '2025-12-31T23:59:00Z', status: true, duration: 5 }])[0]?.at).toBe(window.from)
  })

  it('has no points where there are none, or where they cannot be read', () => {
    expect(toPoints(null)).toEqual([])
    expect(toPoints(undefined)).toEqual([])
    expect(toPoints([{ time: 'soon', duration: 1 }])).toEqual([])
  })
})

describe('condensePoints', () => {
  const point = (index: number) => ({ at: START + index * 1_000, durationMs: 100, passed: 1, failed: 0 })

  it('leaves what fits as it is', () => {
    const points = Array.from({ length: MAX_GRAPH_POINTS }, (_, index) => point(index))
    expect(condensePoints(points)).toBe(points)
  })

  it('joins neighbors to 300 points at most, without losing a run or a failure', () => {
    const points = Array.from({ length: 10_950 }, (_, index) => ({ ...point(index), failed: index === 5_000 ? 1 : 0 }))
    const joined = condensePoints(points)
    expect(joined).toHaveLength(300)
    expect(joined.reduce((sum, { passed, failed }) => sum + passed + failed, 0)).toBe(10_951)
    expect(joined.filter(({ failed }) => failed > 0)).toHaveLength(1)
    expect(joined.map(({ at }) => at)).toEqual(joined.map(({ at }) => at).toSorted((a, b) => a - b))
  })

  it('takes the mean over runs, not over buckets', () => {
    const points = Array.from({ length: 600 }, (_, index) => ({
      ...point(index),
      // One run of 400 ms beside three of 100 ms: (400 + 3 × 100) / 4 = 175
      ...(index % 2 === 0 ? { durationMs: 400, passed: 1 } : { durationMs: 100, passed: 3 }),
    }))
    expect(new Set(condensePoints(points).map(({ durationMs }) => durationMs))).toEqual(new Set([175]))
  })
})

describe('toGapMs', () => {
  it('is two and a half of the usual distance', () => {
    expect(toGapMs([{ at: 0 }, { at: 10 }, { at: 20 }, { at: 500 }, { at: 510 }])).toBe(25)
  })

  it('never interrupts what is too short to judge', () => {
    expect(toGapMs([])).toBe(Number.POSITIVE_INFINITY)
    expect(toGapMs([{ at: 5 }])).toBe(Number.POSITIVE_INFINITY)
  })
})
