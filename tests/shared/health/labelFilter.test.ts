import { matchesLabels, toKnownFilter, toLabelGroups, toLabelId, toLabelText } from '@watchroom/shared/health'
import { describe, expect, it } from 'vitest'

import { buildCheck } from '#support/buildCheck.ts'

const rows = [
  buildCheck({ id: '1', labels: { team: 'a', critical: 'true' } }),
  buildCheck({ id: '2', labels: { team: 'b', critical: 'false' } }),
  buildCheck({ id: '3', labels: { team: 'a', flag: 'yes' } }),
  buildCheck({ id: '4' }),
]
type Choices = [string, 1 | -1][]

describe('toLabelGroups', () => {
  it('groups the labels in use by key, both sorted, and counts the checks', () => {
    expect(
      toLabelGroups(rows).map(({ key, values }) => [key, values.map(({ value, count }) => [value, count])]),
    ).toEqual([
      [
        'critical',
        [
          ['false', 1],
          ['true', 1],
        ],
      ],
      ['flag', [['yes', 1]]],
      [
        'team',
        [
          ['a', 2],
          ['b', 1],
        ],
      ],
    ])
  })

  it('knows which keys only say yes or no', () => {
    expect(toLabelGroups(rows).map(({ key, isBoolean }) => [key, isBoolean])).toEqual([
      ['critical', true],
      ['flag', false],
      ['team', false],
    ])
  })
})

describe('a label', () => {
  it('has an id of key and value, and shows its key alone when its value is true', () => {
    expect(toLabelId('team', 'a')).toBe('canary:team:a')
    expect([toLabelText('critical', 'true'), toLabelText('team', 'a')]).toEqual(['critical', 'team: a'])
  })
})

describe('toKnownFilter', () => {
  it('leaves out ids that no check carries', () => {
    const filter = new Map<string, 1 | -1>([
      ['canary:team:a', 1],
      ['canary:team:z', 1],
      ['nonsense', -1],
    ])
    expect(toKnownFilter(rows, filter)).toEqual(new Map([['canary:team:a', 1]]))
  })
})

describe('matchesLabels', () => {
  it.each<[string, Record<string, string>, Choices, boolean]>([
    ['without a filter', {}, [], true],
    ['included', { team: 'a' }, [['canary:team:a', 1]], true],
    ['another value of an included key', { team: 'b' }, [['canary:team:a', 1]], false],
    [
      'one of two included',
      { team: 'b' },
      [
        ['canary:team:a', 1],
        ['canary:team:b', 1],
      ],
      true,
    ],
    [
      'included and excluded',
      { team: 'a', env: 'x' },
      [
        ['canary:team:a', 1],
        ['canary:env:x', -1],
      ],
      false,
    ],
    ['not excluded', { team: 'b' }, [['canary:team:a', -1]], true],
    ['unlabelled beside an exclusion', {}, [['canary:team:a', -1]], true],
    ['unlabelled beside an inclusion', {}, [['canary:team:a', 1]], false],
  ])('judges a check that is %s', (_, labels, filter, expected) => {
    expect(matchesLabels(labels, new Map(filter))).toBe(expected)
  })
})
