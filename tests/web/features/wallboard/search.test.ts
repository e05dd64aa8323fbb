import { describe, expect, it } from 'vitest'

import {
  DEFAULT_SECONDS,
  toBoardIds,
  toFilter,
  toFilterSearch,
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

  it.each([
    [{ query: 'customs', labels: '{"canary:team:payments":1,"canary:tier:2":-1}', namespace: 'prod' }, 'prod'],
    [{ query: '', labels: '', namespace: undefined }, undefined],
    [{ query: '', labels: '', namespace: 'none' }, ''],
  ])('turns into a filter and back: %j', (address, namespace) => {
    const filter = toFilter(address)
    expect(filter).toEqual({
      query: address.query,
      labels: address.labels === '' ? {} : { 'canary:team:payments': 1, 'canary:tier:2': -1 },
      ...(namespace === undefined ? {} : { namespace }),
    })
    expect(toFilterSearch(filter)).toEqual(address)
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
