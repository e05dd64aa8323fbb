import { describe, expect, it } from 'vitest'

import { discretePercentile, RunWindow } from '../../../../gateway/src/embedded-backend/checks/runWindow.ts'

function fill(durations: readonly number[], passed = true): RunWindow {
  const window = new RunWindow()
  for (const [index, durationMs] of durations.entries()) window.add(index * 1_000, durationMs, passed)
  return window
}

const oneTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1)

describe('discretePercentile', () => {
  it.each([
    // smallest value whose cumulative share reaches p: value number ceil(p × n)
    [20, 0.95, 19],
    [20, 0.97, 20],
    [100, 0.95, 95],
    [100, 0.97, 97],
    [100, 0.99, 99],
    [40, 0.97, 39],
    [3, 0.95, 3],
    [1, 0.99, 1],
    [2, 0.5, 1],
  ])('of the numbers 1 to %d at %d is %d', (count, share, expected) => {
    expect(discretePercentile(Int32Array.from(oneTo(count)), share)).toBe(expected)
  })

  it('agrees with whole numbers wherever the share of the count is one', () => {
    for (const percent of [95, 97, 99]) {
      for (let count = 100; count <= 2_000; count += 100) {
        expect(discretePercentile(Int32Array.from(oneTo(count)), percent / 100)).toBe((percent * count) / 100)
      }
    }
  })

  it('of nothing is 0', () => {
    expect(discretePercentile(new Int32Array(0), 0.95)).toBe(0)
  })
})

describe('a run window', () => {
  it('counts results and remembers the last of each', () => {
    const window = new RunWindow()
    window.add(1_000, 10, true)
    window.add(2_000, 20, false)
    window.add(3_000, 30, true)
    // mean (10 + 20 + 30) / 3 = 20; all percentiles: value number ceil(0.95 × 3) = 3
    expect(window.stats()).toEqual({
      passed: 2,
      failed: 1,
      lastPassAt: 3_000,
      lastFailAt: 2_000,
      p95: 30,
      p97: 30,
      p99: 30,
      mean: 20,
    })
  })

  it('tells percentiles apart when there are enough runs', () => {
    const shuffled = oneTo(200).toSorted((a, b) => ((a * 73) % 199) - ((b * 73) % 199))
    expect(fill(shuffled).stats()).toMatchObject({ p95: 190, p97: 194, p99: 198, mean: 100.5 })
  })

  it('drops runs that started before the given moment, and only those', () => {
    const window = fill([10, 20, 30, 40])
    expect(window.expire(2_000)).toBe(true)
    expect(window.expire(2_000)).toBe(false)
    expect(window.size).toBe(2)
    expect(window.oldestAt()).toBe(2_000)
    expect(window.stats()).toMatchObject({ passed: 2, mean: 35 })
  })

  it('puts a late run into its place and refuses one that is there already', () => {
    const window = new RunWindow()
    window.add(1_000, 10, true)
    window.add(3_000, 30, true)
    expect(window.add(2_000, 20, false)).toBe(true)
    expect(window.add(2_000, 99, true)).toBe(false)
    window.expire(1_500)
    expect(window.oldestAt()).toBe(2_000)
    expect(window.stats()).toMatchObject({ passed: 1, failed: 1, lastFailAt: 2_000, mean: 25 })
  })

  it('agrees with a plain list through growing, wrapping and shrinking', () => {
    const window = new RunWindow()
    let model: { at: number; durationMs: number; passed: boolean }[] = []
    let random = 7
    const next = (below: number): number => {
      random = (random * 1_103_515_245 + 12_345) % 2_147_483_648
      return random % below
    }
    for (let step = 0; step < 3_000; step++) {
      const at = step * 1_000
      const run = { at, durationMs: next(500), passed: next(10) > 0 }
      window.add(run.at, run.durationMs, run.passed)
      model.push(run)
      if (next(4) === 0) {
        const before = at - next(step % 1_000 < 500 ? 900_000 : 5_000)
        window.expire(before)
        model = model.filter((kept) => kept.at >= before)
      }
      expect(window.size).toBe(model.length)
      expect(window.oldestAt()).toBe(model[0]?.at ?? Infinity)
      const sorted = model.map((run) => run.durationMs).toSorted((a, b) => a - b)
      expect(window.stats()).toMatchObject({
        passed: model.filter((run) => run.passed).length,
        failed: model.filter((run) => !run.passed).length,
        p95: sorted[Math.ceil((sorted.length * 95) / 100) - 1] ?? 0,
      })
    }
  })
})
