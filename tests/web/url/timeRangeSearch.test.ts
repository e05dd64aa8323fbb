import type { TimeRange } from '@watchroom/shared/time'
import { describe, expect, it } from 'vitest'

import { parseSearch, stringifySearch } from '../../../web/src/url/searchParams.ts'
import { readStart, readTimeRange, writeTimeRange } from '../../../web/src/url/timeRangeSearch.ts'

const read = (query: string): TimeRange | undefined => readTimeRange(parseSearch(query))

const LAST_6_HOURS: TimeRange = { rangeType: 'relative', display: 'Last 6 hours', range: 'now-6h' }
const YESTERDAY: TimeRange = { rangeType: 'mapped', display: 'Yesterday', timeRange: 'Yesterday' }
const JANUARY: TimeRange = {
  rangeType: 'absolute',
  display: 'Custom',
  from: '2026-01-01T00:00:00.000Z',
  to: '2026-02-01T00:00:00.000Z',
}

describe('readTimeRange', () => {
  it.each([
    ['rangeType=relative&range=now-6h&display=Last+6+hours', LAST_6_HOURS],
    ['rangeType=mapped&timeRange=Yesterday&display=Yesterday', YESTERDAY],
    ['rangeType=absolute&display=Custom&from=2026-01-01T00:00:00.000Z&to=2026-02-01T00:00:00.000Z', JANUARY],
    ['rangeType=absolute&from=2026-01-01&to=2026-02-01+00:00', JANUARY],
  ])('reads %s', (query, range) => {
    expect(read(query)).toEqual(range)
  })

  it('takes a short key in timeRange as a relative range of that length', () => {
    expect(read('timeRange=3h')).toEqual({ rangeType: 'relative', display: 'Last 3 hours', range: 'now-3h' })
    expect(read('timeRange=1mo')).toEqual({ rangeType: 'relative', display: 'Last 1 month', range: 'now-30d' })
    expect(read('rangeType=relative&timeRange=1h')).toMatchObject({ range: 'now-1h' })
  })

  it.each([
    ['rangeType=nonsense&range=now-6h', LAST_6_HOURS],
    ['rangeType=absolute&from=soon&to=2026-02-01&range=now-6h', LAST_6_HOURS],
    ['rangeType=relative&range=now-&timeRange=Yesterday', YESTERDAY],
    ['rangeType=mapped&timeRange=Tomorrow&from=2026-01-01&to=2026-02-01', JANUARY],
    ['range=now-6h&display=', LAST_6_HOURS],
    ['from=2026-01-01&to=2026-02-01', JANUARY],
  ])('lets nonsense cost its own key only: %s', (query, range) => {
    expect(read(query)).toEqual(range)
  })

  it.each([
    '',
    'timeRange=4h',
    'timeRange=1h&timeRange=2h',
    'timeRange=constructor',
    'range=now',
    'range=2026-01-01',
    'range=now-1x',
    'range=now-1h&range=now-2h',
    'from=2026-01-01',
    'rangeType=absolute&from=2026-02-01&to=2026-01-01',
    'rangeType=absolute&from=now-2d&to=now',
    'rangeType=absolute&from=2026-01-01&from=2026-01-02&to=2026-02-01',
  ])('reads no range in "%s"', (query) => {
    expect(read(query)).toBeUndefined()
  })

  it('never lets a link call a range by the name of another', () => {
    expect(read('rangeType=relative&range=now-5y&display=Last+5+minutes')).toMatchObject({ display: 'Last 5 years' })
    expect(read('rangeType=mapped&timeRange=Yesterday&display=Today')).toMatchObject({ display: 'Yesterday' })
  })

  it("keeps the link's words for an expression that has none of ours, cut to a label", () => {
    expect(read('range=now/d&display=Since+midnight')).toMatchObject({ range: 'now/d', display: 'Since midnight' })
    expect(read(`range=now/d&display=${'x'.repeat(500)}`)?.display).toHaveLength(60)
    expect(read('range=now/d')).toMatchObject({ display: 'now/d to now' })
  })
})

describe('readStart', () => {
  it.each([
    ['1h', 'now-1h'],
    ['2mo', 'now-60d'],
    ['45m', 'now-45m'],
    ['now-3h', 'now-3h'],
  ])('reads %s as a range until now', (start, range) => {
    expect(readStart(start)).toMatchObject({ rangeType: 'relative', range })
  })

  it.each(['', 'soon', '2026-01-01', '5', 'constructor'])('reads no range in "%s"', (start) => {
    expect(readStart(start)).toBeUndefined()
  })
})

describe('writeTimeRange', () => {
  const busy = parseSearch(
    'query=api&rangeType=relative&display=x&range=now-1h&from=1&to=2&duration=5m&start=2h&timeRange=1h&sortBy=name',
  )

  it('removes from, to, duration, start and timeRange first, and leaves what belongs to others', () => {
    expect(stringifySearch(writeTimeRange(busy, LAST_6_HOURS))).toBe(
      '?display=Last+6+hours&query=api&range=now-6h&rangeType=relative&sortBy=name',
    )
    expect(stringifySearch(writeTimeRange(busy, undefined))).toBe('?query=api&sortBy=name')
  })

  it.each([LAST_6_HOURS, YESTERDAY, JANUARY])('writes what is read again: $display', (range) => {
    expect(read(stringifySearch(writeTimeRange(busy, range)))).toEqual(range)
  })
})
