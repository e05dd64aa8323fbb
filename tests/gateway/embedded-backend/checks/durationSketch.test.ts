import { DDSketch } from '@datadog/sketches-js'
import { describe, expect, it } from 'vitest'

import { createRandom } from '#support/random.ts'

import {
  createPercentiles,
  DURATION_KEY_SQL,
  SKETCH_ERROR,
} from '../../../../gateway/src/embedded-backend/checks/durationSketch.ts'
import { discretePercentile } from '../../../../gateway/src/embedded-backend/checks/runWindow.ts'

const SHARES = [0.5, 0.9, 0.95, 0.97, 0.99, 1]

/** Latencies as they are: most alike, some ten times as long, a few very long ones. */
function buildDurations(count: number, random: () => number): number[] {
  return Array.from({ length: count }, () => {
    const kind = random()
    return Math.max(1, Math.round((kind < 0.9 ? 40 : kind < 0.99 ? 400 : 9_000) * (0.5 + random())))
  })
}

const toExact = (durations: readonly number[]) => durations.map((durationMs) => ({ durationMs, count: 1 }))
const { mapping } = new DDSketch({ relativeAccuracy: SKETCH_ERROR })
const toSketched = (durations: readonly number[]) =>
  durations.map((durationMs) => ({ key: mapping.key(durationMs), count: 1 }))

describe('createPercentiles', () => {
  it('is the percentile of the board when all runs are there', () => {
    const random = createRandom(1)
    for (const count of [1, 2, 3, 10, 99, 100, 101, 5_000]) {
      const durations = buildDurations(count, random)
      const sorted = Int32Array.from(durations).toSorted()
      const percentile = createPercentiles(toExact(durations), [])
      for (const share of SHARES) expect(percentile(share)).toBe(discretePercentile(sorted, share))
    }
  })

  it('is within its error of it when some or all are in sketches, and never falls with a larger share', () => {
    const random = createRandom(2)
    for (const count of [1, 2, 10, 101, 5_000]) {
      const durations = buildDurations(count, random)
      const sorted = Int32Array.from(durations).toSorted()
      for (const kept of [0, Math.floor(count / 2)]) {
        const percentile = createPercentiles(toExact(durations.slice(0, kept)), toSketched(durations.slice(kept)))
        let before = 0
        for (const share of SHARES) {
          const truth = discretePercentile(sorted, share)
          expect(Math.abs(percentile(share) - truth)).toBeLessThanOrEqual(truth * SKETCH_ERROR + 1e-9)
          expect(percentile(share)).toBeGreaterThanOrEqual(before)
          before = percentile(share)
        }
      }
    }
  })

  it('counts runs without a duration as none, and is 0 without runs', () => {
    expect(createPercentiles([], [])(0.95)).toBe(0)
    expect(
      createPercentiles(
        [
          { durationMs: 0, count: 9 },
          { durationMs: 50, count: 1 },
        ],
        [],
      )(0.5),
    ).toBe(0)
    expect(
      createPercentiles(
        [],
        [
          { key: -1, count: 9 },
          { key: mapping.key(50), count: 1 },
        ],
      )(0.5),
    ).toBe(0)
  })

  it('has the keys of the library in its SQL', () => {
    const multiplier = Number(/\* ([\d.]+)\)/.exec(DURATION_KEY_SQL)?.[1])
    for (let durationMs = 1; durationMs < 100_000; durationMs++) {
      expect(Math.ceil(Math.log(durationMs) * multiplier)).toBe(mapping.key(durationMs))
    }
  })
})
