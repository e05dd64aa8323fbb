import { describe, expect, it } from 'vitest'

import { toConfigRuns } from '../../../../../web/src/features/incident-room/evidence/configLines.ts'

/** Lines 1 to `count`, each its own number in words. */
const buildLines = (count: number): Record<string, string> =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [String(index + 1), `line ${index + 1}`]))

const numbers = (runs: ReturnType<typeof toConfigRuns>) => runs.map((run) => run.map(({ number }) => number))

describe('toConfigRuns', () => {
  it.each([
    { selected: [10], runs: [[7, 8, 9, 10, 11, 12, 13]] },
    { selected: [1], runs: [[1, 2, 3, 4]] },
    { selected: [20], runs: [[17, 18, 19, 20]] },
    { selected: [5, 10], runs: [[2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13]] },
    {
      selected: [2, 15],
      runs: [
        [1, 2, 3, 4, 5],
        [12, 13, 14, 15, 16, 17, 18],
      ],
    },
  ])('shows three lines around each of $selected', ({ selected, runs }) => {
    const chosen = Object.fromEntries(selected.map((number) => [String(number), `line ${number}`]))
    expect(numbers(toConfigRuns(buildLines(20), chosen))).toEqual(runs)
  })

  it('marks what was selected, and shows a selected line that was kept nowhere else', () => {
    const [run] = toConfigRuns({ '1': 'a', '3': 'c' }, { '2': 'b' })
    expect(run).toEqual([
      { number: 1, text: 'a', isSelected: false },
      { number: 2, text: 'b', isSelected: true },
      { number: 3, text: 'c', isSelected: false },
    ])
  })

  it('shows everything when nothing was selected, and nothing when nothing was kept', () => {
    expect(numbers(toConfigRuns(buildLines(2), {}))).toEqual([[1, 2]])
    expect(toConfigRuns({}, {})).toEqual([])
    expect(toConfigRuns({ first: 'not a number' }, {})).toEqual([])
  })
})
