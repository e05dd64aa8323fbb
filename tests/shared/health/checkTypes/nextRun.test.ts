import { nextRun, tryParseSchedule } from '@watchroom/shared/health/check-types'
import { describe, expect, it } from 'vitest'

import { createRandom } from '#support/random.ts'

import { toSchedule } from '../../../../gateway/src/check-runner/schedule.ts'

const NOW = Date.parse('2026-11-23T22:12:07.500Z')
const next = (text: string): string | null => {
  const schedule = tryParseSchedule(text)
  const at = schedule && nextRun(schedule, NOW)
  return at === null ? null : new Date(at).toISOString()
}

describe('the next run', () => {
  it.each([
    ['@daily', '2026-11-24T00:00:00.000Z'],
    ['*/5 * * * *', '2026-11-23T22:15:00.000Z'],
    ['30 */10 12 * * *', '2026-11-24T12:00:30.000Z'],
    ['0 9 * * mon-fri', '2026-11-24T09:00:00.000Z'],
    ['0 0 * * 7', '2026-11-29T00:00:00.000Z'],
    ['15 3 1,20 dec *', '2026-12-01T03:15:00.000Z'],
    ['0 0 29 2 *', '2028-02-29T00:00:00.000Z'],
    ['0 0 13 * fri', '2026-11-27T00:00:00.000Z'],
    ['0 0 31 2 *', null],
  ])('of %s comes at %s', (text, expected) => {
    expect(next(text)).toBe(expected)
  })

  it('of an interval is counted from the last one', () => {
    expect(next('@every 30m')).toBe(new Date(NOW + 1_800_000).toISOString())
  })

  it('is the one at which it is run, for any calendar (seeded)', () => {
    const random = createRandom(20_261_123)
    const upTo = (max: number): number => Math.floor(random() * max)
    const field = (min: number, max: number): string => {
      const from = min + upTo(max - min + 1)
      const to = from + upTo(max - from + 1)
      return ['*', String(from), `${from}-${to}`, `*/${1 + upTo(7)}`, `${from},${to}`][upTo(5)] ?? '*'
    }
    for (let round = 0; round < 300; round++) {
      const text = [field(0, 59), field(0, 23), field(1, 28), field(1, 12), field(0, 6)].join(' ')
      const schedule = tryParseSchedule(text)
      if (schedule === null) throw new Error(`${text} is no schedule`)
      expect([text, nextRun(schedule, NOW)]).toEqual([text, toSchedule(schedule).next(NOW, 0)])
    }
  })
})
