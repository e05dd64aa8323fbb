import type { TimeRange } from '@watchroom/shared/time'
import { describe, expect, it } from 'vitest'

import { isSameRange, type RangeOptionsInput, toRangeGroups } from '../../../../web/src/ui/time-range/rangeOptions.ts'

const NOW = Date.parse('2026-03-18T10:20:30.000Z')
const RECENT = { from: '2026-03-01T08:00:00.000Z', to: '2026-03-01T09:30:00.000Z' }

const groups = (input: Partial<RangeOptionsInput> = {}) =>
  toRangeGroups({ presets: 'past', recent: [], query: '', now: NOW, zone: 'UTC', ...input })
const titles = (input?: Partial<RangeOptionsInput>) => groups(input).map(({ title }) => title)
const labels = (input?: Partial<RangeOptionsInput>) =>
  groups(input).flatMap(({ options }) => options.map(({ label }) => label))

describe('toRangeGroups', () => {
  it('offers the presets of the direction that is asked for, and the quick ranges with the past', () => {
    expect(titles()).toEqual(['Past', 'Quick ranges'])
    expect(titles({ presets: 'future' })).toEqual(['Future'])
    expect(titles({ presets: 'both' })).toEqual(['Past', 'Future', 'Quick ranges'])
    expect(labels()).toHaveLength(16 + 14)
  })

  it('puts ranges used before first, in the clock of the zone', () => {
    expect(groups({ recent: [RECENT], zone: 'Europe/Berlin' })[0]).toEqual({
      title: 'Recent',
      options: [
        {
          label: '2026-03-01 09:00 – 10:30',
          hint: '',
          range: { rangeType: 'absolute', display: 'Custom', ...RECENT },
        },
      ],
    })
  })

  it('finds by words of the label and by the expression, in any case', () => {
    expect(labels({ query: 'WEEK so' })).toEqual(['This week so far'])
    expect(labels({ query: 'now-1M/M' })).toContain('Previous month')
    expect(labels({ query: 'bananas' })).toEqual([])
  })

  it.each([
    ['45m', 'past', 'Last 45 minutes', { rangeType: 'relative', display: 'Last 45 minutes', range: 'now-45m' }],
    ['45m', 'future', 'Next 45 minutes', { rangeType: 'relative', display: 'Next 45 minutes', range: 'now+45m' }],
    ['now-1w/w', 'past', 'now-1w/w to now', { rangeType: 'relative', display: 'now-1w/w to now', range: 'now-1w/w' }],
    [
      '2026-03-01 08:00 – 09:30',
      'past',
      '2026-03-01 08:00 – 09:30',
      { rangeType: 'absolute', display: 'Custom', ...RECENT },
    ],
  ] as const)('offers %s as typed, among %s presets', (query, presets, label, range) => {
    expect(groups({ query, presets })[0]).toMatchObject({ title: 'As typed', options: [{ label, range }] })
  })

  it.each(['1h', 'now-1h', 'Yesterday'])('does not offer %s twice', (query) => {
    expect(titles({ query })).not.toContain('As typed')
    expect(labels({ query }).length).toBeGreaterThan(0)
  })
})

describe('isSameRange', () => {
  const relative: TimeRange = { rangeType: 'relative', display: 'Last 1 hour', range: 'now-1h' }
  const mapped: TimeRange = { rangeType: 'mapped', display: 'Today', timeRange: 'Today' }
  const absolute: TimeRange = { rangeType: 'absolute', display: 'Custom', ...RECENT }

  it('compares what a range means, not how it is shown', () => {
    expect(isSameRange({ ...relative, display: 'other words' }, relative)).toBe(true)
    expect(isSameRange(mapped, { ...mapped })).toBe(true)
    expect(isSameRange(absolute, { ...absolute })).toBe(true)
  })

  it('tells different ranges and kinds apart', () => {
    expect(isSameRange(relative, { ...relative, range: 'now-2h' })).toBe(false)
    expect(isSameRange(mapped, { ...mapped, timeRange: 'Yesterday' })).toBe(false)
    expect(isSameRange(absolute, { ...absolute, to: '2026-03-02T00:00:00.000Z' })).toBe(false)
    expect(isSameRange(relative, mapped)).toBe(false)
    expect(isSameRange(undefined, absolute)).toBe(false)
  })
})
