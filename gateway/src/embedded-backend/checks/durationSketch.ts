// How long runs took, so that percentiles outlive the runs: a DDSketch, whose buckets grow with the duration, so that every
// percentile is within 1 % of a duration that occurred, however many sketches were merged. PostgreSQL fills it (migration
// 0041), here it is read.
import { DDSketch } from '@datadog/sketches-js'

/** Most that a percentile taken from sketches is off, as a share of it. */
export const SKETCH_ERROR = 0.01

/** Key of runs that have no duration. */
const NO_DURATION = -1

/** The key of a duration, as SQL over a column `duration` in milliseconds. */
export const DURATION_KEY_SQL = `case when duration >= 1 then ceil(ln(duration::float8) * ${
  1 / Math.log(new DDSketch({ relativeAccuracy: SKETCH_ERROR }).mapping.gamma)
})::integer else ${NO_DURATION} end`

/** So many runs took this long. */
export interface CountedDuration {
  readonly durationMs: number
  readonly count: number
}

/** So many runs fell into this bucket of a sketch. */
export interface CountedKey {
  readonly key: number
  readonly count: number
}

/**
 * Percentiles as on the board: the smallest duration whose share of the runs reaches `share`. Exact when every run is known by
 * its own duration, else within `SKETCH_ERROR`.
 *
 * @returns 0 without runs
 */
export function createPercentiles(
  exact: readonly CountedDuration[],
  sketched: readonly CountedKey[],
): (share: number) => number {
  const sum = (counts: readonly { count: number }[]): number => counts.reduce((total, { count }) => total + count, 0)
  const total = sum(exact) + sum(sketched)
  const rankOf = (share: number): number => Math.max(1, Math.ceil(share * total))
  if (sketched.length === 0) {
    const sorted = exact.toSorted((a, b) => a.durationMs - b.durationMs)
    return (share) => {
      let before = 0
      const found = sorted.find(({ count }) => (before += count) >= rankOf(share))
      return found?.durationMs ?? 0
    }
  }
  const sketch = new DDSketch({ relativeAccuracy: SKETCH_ERROR })
  let unmeasured = 0
  for (const { durationMs, count } of exact) {
    if (durationMs >= 1) sketch.accept(durationMs, count)
    else unmeasured += count
  }
  for (const { key, count } of sketched) {
    if (key === NO_DURATION) unmeasured += count
    else sketch.store.add(key, count)
  }
  return (share) => {
    const rank = rankOf(share) - unmeasured
    // Half a run before it: the store answers with the first key that has more runs than the rank.
    return rank <= 0 ? 0 : sketch.mapping.value(sketch.store.keyAtRank(rank - 0.5))
  }
}
