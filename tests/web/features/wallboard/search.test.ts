import { describe, expect, it } from 'vitest'

import {
  DEFAULT_SECONDS,
  stringifyLabels,
  toBoardIds,
  toFilter,
  WallSearchSchema,
} from '../../../../web/src/features/wallboard/search.ts'

const DEFAULTS = {
  query: '',
  labels: '',
  namespace: undefined,
  groupBy: 'no-group',
  boards: '',
  seconds: DEFAULT_SECONDS,
  theme: 'dark',
  columns: undefined,
}

describe('address of a wallboard', () => {
  it('carries everything the wall is', () => {
    const address = {
      query: 'customs',
      labels: '{"canary:team:payments":1}',
      namespace: 'prod',
      groupBy: 'label:team',
      boards: 'a,b',
      seconds: '45',
      theme: 'light',
      columns: '4',
    }
    expect(WallSearchSchema.parse(address)).toEqual({ ...address, seconds: 45, columns: 4 })
  })

  it('is dark, ungrouped and shows everything unless it says otherwise', () => {
    expect(WallSearchSchema.parse({})).toEqual(DEFAULTS)
  })

  it.each([
    { groupBy: 'nonsense' },
    { seconds: '-5' },
    { seconds: 'soon' },
    { seconds: '99999' },
    { theme: 'pink' },
    { columns: '0' },
    { columns: '1.5' },
    { query: ['a', 'b'] },
    { labels: ['a', 'b'] },
    { namespace: '' },
  ])('falls back for one key alone when it is nonsense: %j', (nonsense) => {
    const key = Object.keys(nonsense)[0] as keyof typeof DEFAULTS
    const parsed = WallSearchSchema.parse({ boards: 'x', ...nonsense })
    expect(parsed[key]).toEqual(DEFAULTS[key])
    expect(parsed.boards).toBe('x')
  })

  it('turns into a filter', () => {
    const labels = { 'canary:team:payments': 1, 'canary:tier:2': -1 } as const
    const address = { query: 'customs', labels: stringifyLabels(labels), namespace: 'prod' }
    expect(toFilter(address)).toEqual({ query: 'customs', labels, namespace: 'prod' })
    expect(toFilter({ query: '', labels: '' })).toEqual({ query: '', labels: {} })
    expect(toFilter({ query: '', labels: '', namespace: 'none' })).toEqual({ query: '', labels: {}, namespace: '' })
  })

  it('takes labels that cannot be read as none', () => {
    for (const labels of ['{"a":', '[]', '{"a":7}', 'null', '"x"']) {
      expect(toFilter({ query: 'kept', labels })).toEqual({ query: 'kept', labels: {} })
    }
  })

  it('names each board once', () => {
    expect(toBoardIds('a,b,,a')).toEqual(['a', 'b'])
    expect(toBoardIds('')).toEqual([])
  })
})
