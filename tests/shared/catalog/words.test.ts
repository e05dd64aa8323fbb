import {
  ANALYSIS_TYPES,
  CHANGED_BUCKETS,
  fromTypeKey,
  INSIGHT_STATUSES,
  isStale,
  matchesWordFilter,
  parseWordFilter,
  SEVERITIES,
  severitiesFrom,
  toAnalysisType,
  toChangedBucket,
  toConfigClass,
  toLabelKey,
  toSeverityCounts,
  toTypeKey,
  toTypeWords,
  toWordFilterText,
  tryParseLabelKey,
  tryParseSeverity,
} from '@watchroom/shared/catalog'
import { describe, expect, it } from 'vitest'

describe('severities', () => {
  it('are seven in one order, in lower case', () => {
    expect(SEVERITIES).toEqual(['info', 'warning', 'low', 'medium', 'high', 'blocker', 'critical'])
    expect(tryParseSeverity('Info')).toBe('info')
    expect(tryParseSeverity('dire')).toBeNull()
    expect(tryParseSeverity(null)).toBeNull()
  })

  it('expand upwards', () => {
    expect(severitiesFrom('medium')).toEqual(['medium', 'high', 'blocker', 'critical'])
  })
})

describe('chips that count severities', () => {
  it('add low to medium, have the worst first, and leave out what there is none of', () => {
    const counts = [
      ['info', 1],
      ['Low', 2],
      ['medium', 3],
      ['dire', 4],
      ['critical', 5],
      ['high', 0],
      ['critical', 1],
    ] as const
    expect(toSeverityCounts(counts)).toEqual([
      { severity: 'critical', count: 6 },
      { severity: 'medium', count: 5 },
      { severity: 'info', count: 1 },
      { severity: 'dire', count: 4 },
    ])
  })
})

describe('types', () => {
  it.each([
    ['Kubernetes::Pod', 'Kubernetes', 'Pod'],
    ['AWS::EC2::Instance', 'AWS', 'EC2 Instance'],
    ['File', 'File', 'File'],
  ])('%s is of the class %s, and %s in words', (type, configClass, words) => {
    expect(toConfigClass(type)).toBe(configClass)
    expect(toTypeWords(type)).toBe(words)
    expect(fromTypeKey(toTypeKey(type))).toBe(type)
  })

  it('and labels stand in addresses as consoles write them', () => {
    expect(toTypeKey('AWS::EC2::Instance')).toBe('AWS__EC2__Instance')
    expect(toLabelKey('app', 'shop:1')).toBe('app__:__shop:1')
    expect(tryParseLabelKey('app__:__shop:1')).toEqual({ key: 'app', value: 'shop:1' })
    expect(tryParseLabelKey('app__:__')).toEqual({ key: 'app', value: '' })
    expect(tryParseLabelKey('__:__shop')).toBeNull()
    expect(tryParseLabelKey('app')).toBeNull()
  })

  it('of insights are ten, and what nobody foresaw is the last', () => {
    expect(ANALYSIS_TYPES).toHaveLength(10)
    expect(toAnalysisType('Technical_debt')).toBe('technical_debt')
    expect(toAnalysisType('vibes')).toBe('other')
    expect(toAnalysisType(null)).toBe('other')
    expect(INSIGHT_STATUSES).toContain('open')
  })
})

describe('a filter of words', () => {
  it.each([
    ['', null, true],
    ['', 'a', true],
    ['a,b', 'b', true],
    ['a,b', 'c', false],
    ['a', null, false],
    ['!a', 'b', true],
    ['!a', 'a', false],
    ['!a', null, false],
    ['pre*', 'prefix', true],
    ['pre*', 'apre', false],
    ['*fix', 'prefix', true],
    ['*ref*', 'prefix', true],
    ['a*b*', 'axbxxc', true],
    ['a*b*', 'axc', false],
    ['a*b', 'axb', false],
    ['*a*a*a*', 'aa', false],
    ['pre*,*fix', 'prefix', true],
    ['pre*,*fix', 'prelude', false],
    ['pre*,!prefix', 'prefix', false],
    [' , !,a ', 'a', true],
  ])('%j takes %j: %s', (text, value, isTaken) => {
    expect(matchesWordFilter(parseWordFilter(text), value)).toBe(isTaken)
  })

  it('is written from a three-way filter', () => {
    const choices = new Map<string, 1 | -1>([
      ['a', 1],
      ['b', -1],
    ])
    expect(toWordFilterText(choices)).toBe('a,!b')
  })
})

describe('the age of an item', () => {
  const now = Date.parse('2026-11-23T00:30:00Z')

  it.each([
    ['2026-11-22T23:30:01Z', null, false],
    ['2026-11-22T23:30:00Z', null, true],
    ['2026-11-22T23:30:00Z', '2026-11-23T00:00:00Z', false],
    [null, null, false],
  ])('last scraped at %s and deleted at %s is stale: %s', (last_scraped_time, deleted_at, isOld) => {
    expect(isStale({ last_scraped_time, deleted_at }, now)).toBe(isOld)
  })

  it.each([
    ['2026-11-23T00:00:00Z', 'UTC', 'This hour'],
    ['2026-11-23T00:31:00Z', 'UTC', 'This hour'],
    ['2026-11-22T23:59:59Z', 'UTC', 'Yesterday'],
    ['2026-11-22T23:59:59Z', 'Europe/Berlin', 'Today'],
    ['2026-11-21T23:59:59Z', 'UTC', 'Last 7 days'],
    ['2026-11-17T00:00:00Z', 'UTC', 'Last 7 days'],
    ['2026-11-16T23:59:59Z', 'UTC', 'Last 30 days'],
    ['2026-10-25T00:00:00Z', 'UTC', 'Last 30 days'],
    ['2026-10-24T23:59:59Z', 'UTC', 'Older'],
    [null, 'UTC', 'Older'],
  ])('changed at %s in %s is %s', (updatedAt, zone, bucket) => {
    expect(toChangedBucket(updatedAt, now, zone)).toBe(bucket)
    expect(CHANGED_BUCKETS).toContain(bucket)
  })
})
