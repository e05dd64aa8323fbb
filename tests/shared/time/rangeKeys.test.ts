import { isRangeKey, RANGE_KEYS, rangeKeyForAge, rangeKeyMs } from '@watchroom/shared/time'
import { describe, expect, it } from 'vitest'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

describe('RANGE_KEYS', () => {
  it('are the choices of the specification, the shortest first', () => {
    expect(RANGE_KEYS.join(' ')).toBe('15m 1h 2h 3h 6h 12h 1d 2d 3d 1w 2w 3w 1mo 2mo 3mo 6mo 1y 2y 3y 5y')
    const lengths = RANGE_KEYS.map(rangeKeyMs)
    expect(lengths).toEqual(lengths.toSorted((a, b) => a - b))
  })

  it.each([
    ['15m', 15 * MINUTE],
    ['3h', 3 * HOUR],
    ['2w', 14 * DAY],
    ['1mo', 30 * DAY],
    ['1y', 360 * DAY],
    ['5y', 1_800 * DAY],
  ] as const)('%s is %d ms', (key, length) => {
    expect(rangeKeyMs(key)).toBe(length)
  })

  it.each(['', '1H', '4h', '1 h', 'constructor'])('%j is none', (text) => {
    expect(isRangeKey(text)).toBe(false)
  })
})

describe('rangeKeyForAge', () => {
  it.each([
    [0, '1h'],
    [-DAY, '1h'],
    [Number.NaN, '1h'],
    [HOUR, '1h'],
    [HOUR + 1, '3h'],
    [3 * HOUR + 1, '6h'],
    [7 * HOUR, '12h'],
    [13 * HOUR, '1d'],
    [25 * HOUR, '2d'],
    [2.5 * DAY, '3d'],
    [4 * DAY, '1w'],
    [10 * DAY, '2w'],
    [20 * DAY, '3w'],
    [25 * DAY, '1mo'],
    [45 * DAY, '2mo'],
    [80 * DAY, '3mo'],
    [100 * DAY, '6mo'],
    [200 * DAY, '1y'],
    [400 * DAY, '2y'],
    [900 * DAY, '3y'],
    [1_200 * DAY, '5y'],
    [Number.POSITIVE_INFINITY, '5y'],
  ] as const)('reaches back %d ms with %s', (age, key) => {
    expect(rangeKeyForAge(age)).toBe(key)
  })
})
