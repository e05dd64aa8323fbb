import { describe, expect, it } from 'vitest'

import { listGroups, parseGroupBy, summaryGroups } from '../../../../web/src/features/catalog-list/grouping.ts'
import {
  fromPairFilter,
  parseLabels,
  parseTags,
  stringifyLabels,
  stringifyTags,
  toPairFilter,
} from '../../../../web/src/features/catalog-list/labelFilter.ts'
import { listAddress, toPageAddress, toRowAddresses } from '../../../../web/src/features/catalog-list/listRequest.ts'
import { type CatalogSearch, CatalogSearchSchema, isSummary } from '../../../../web/src/features/catalog-list/search.ts'

const searchOf = (address: Partial<Record<keyof CatalogSearch, string>>) => CatalogSearchSchema.parse(address)
const requestOf = (address: Partial<Record<keyof CatalogSearch, string>>, hidesDeleted = true) => {
  const params = new URL(listAddress(searchOf(address), hidesDeleted), 'http://watchroom.test').searchParams
  return [...params].filter(([key]) => key !== 'select').map(([key, value]) => `${key}=${value}`)
}

describe('the address of the catalog', () => {
  it('begins with the type in ascending order, and costs a key alone when that is nonsense', () => {
    expect(searchOf({})).toMatchObject({ sortBy: 'type', sortOrder: 'asc', search: '', configType: '', groupBy: '' })
    const mixed = {
      sortBy: 'analysis',
      sortOrder: 'up',
      status: ':::',
      health: 'healthy:-1',
      search: 'web',
      groupBy: 'up',
    }
    expect(searchOf(mixed)).toMatchObject({
      sortBy: 'type',
      sortOrder: 'asc',
      status: '',
      health: 'healthy:-1',
      search: 'web',
      groupBy: '',
    })
  })

  it('shows the summary where neither a type nor a search is asked for', () => {
    expect(isSummary(searchOf({ configType: 'All', search: ' ', labels: 'a__:__b' }))).toBe(true)
    expect(isSummary(searchOf({ configType: 'File' }))).toBe(false)
    expect(isSummary(searchOf({ search: 'web' }))).toBe(false)
  })

  it('groups the summary by class and type, the list by nothing, until it is told otherwise', () => {
    expect(summaryGroups(searchOf({}))).toEqual([{ by: 'config_class' }, { by: 'type' }])
    expect(listGroups(searchOf({}))).toEqual([])
    const asked = searchOf({ groupBy: 'changed,region__tag,nonsense' })
    expect(summaryGroups(asked)).toEqual([{ by: 'tag', tag: 'region' }])
    expect(listGroups(asked)).toEqual([{ by: 'changed' }, { by: 'tag', tag: 'region' }])
    expect(summaryGroups(searchOf({ groupBy: 'none' }))).toEqual([])
    expect(summaryGroups(searchOf({ groupBy: 'nonsense' }))).toEqual([{ by: 'config_class' }, { by: 'type' }])
    expect(listGroups(searchOf({ groupByProp: 'region' }))).toEqual([{ by: 'tag', tag: 'region' }])
    expect(parseGroupBy('__tag,')).toEqual([])
  })

  it('keeps labels and tags with commas, colons and exclamation marks in them', () => {
    const pairs = [
      { key: 'app.kubernetes.io/name', value: 'a,b', choice: 1 },
      { key: 'aws:stack', value: 'x:y', choice: -1 },
    ] as const
    expect(parseLabels(stringifyLabels(pairs))).toEqual(pairs)
    expect(fromPairFilter(toPairFilter(pairs))).toEqual(pairs)
    expect(parseLabels('nonsense,__:__b,c__:__')).toEqual([{ key: 'c', value: '', choice: 1 }])
    const tags = [{ key: 'region', value: 'eu:1,2', choice: -1 }] as const
    expect(parseTags(stringifyTags(tags))).toEqual(tags)
    expect(parseTags('region____eu:1')).toEqual([{ key: 'region', value: 'eu', choice: 1 }])
  })
})

describe('the request of the list', () => {
  it('orders by type and name, and leaves out what was deleted', () => {
    expect(requestOf({ configType: 'Kubernetes::Pod' })).toEqual([
      'type=eq.Kubernetes::Pod',
      'deleted_at=is.null',
      'order=type.asc.nullslast,name.asc.nullslast,id.asc',
    ])
  })

  it('has deleted items last where they are shown', () => {
    expect(requestOf({ configType: 'File', sortBy: 'cost', sortOrder: 'desc' }, false)).toEqual([
      'type=eq.File',
      'order=deleted_at.desc.nullsfirst,cost_total_30d.desc.nullslast,name.asc.nullslast,id.asc',
    ])
  })

  it('keeps groups together, each with its deleted items last', () => {
    expect(requestOf({ search: 'a', groupBy: 'region__tag,changed' }, false).at(-1)).toBe(
      'order=tags->>region.asc.nullslast,updated_at.desc.nullslast,deleted_at.desc.nullsfirst,type.asc.nullslast,name.asc.nullslast,id.asc',
    )
    expect(requestOf({ search: 'a', groupBy: 'a.b__tag' }).at(-1)).toBe(
      'order=type.asc.nullslast,name.asc.nullslast,id.asc',
    )
  })

  it('filters by labels also while something is looked for, and takes signs of patterns for themselves', () => {
    expect(requestOf({ search: '50%_*"(', labels: 'app__:__web', health: 'healthy:-1', status: 'Running:1' })).toEqual([
      'status.filter=Running',
      'or=(health.is.null,health.not.in.(healthy))',
      String.raw`or=(name.ilike."*50\\%\\_\"(*",type.ilike."*50\\%\\_\"(*",description.ilike."*50\\%\\_\"(*",namespace.ilike."*50\\%\\_\"(*")`,
      'labels->>app=eq.web',
      'deleted_at=is.null',
      'order=type.asc.nullslast,name.asc.nullslast,id.asc',
    ])
  })

  it.each([
    ['unknown:1', 'or=(health.is.null,health.not.in.(healthy,unhealthy,warning))'],
    ['unknown:1,warning:1', 'or=(health.is.null,health.not.in.(healthy,unhealthy))'],
    ['warning:1', 'health.filter=warning'],
    ['unknown:-1', 'health.filter=healthy,unhealthy,warning'],
    ['unknown:-1,warning:-1', 'health.filter=healthy,unhealthy'],
    ['healthy:1,degraded:1', 'health.filter=healthy,degraded'],
  ])('finds what the bar shows as unknown, whatever it says of its health: %s', (health, filter) => {
    expect(requestOf({ search: 'a', health })[0]).toBe(filter)
  })

  it('wants any of the values of a key, and none of those that must not be, also of keys that no path can hold', () => {
    const filters = requestOf({ search: 'a', labels: 'app__:__web,app__:__db,a.b/c__:__x,!env__:__prod' })
    expect(filters.slice(1, 4)).toEqual([
      String.raw`or=(labels.cs."{\"app\":\"web\"}",labels.cs."{\"app\":\"db\"}")`,
      'labels=cs.{"a.b/c":"x"}',
      String.raw`or=(labels.is.null,labels.not.cs."{\"env\":\"prod\"}")`,
    ])
  })
})

describe('a page of the list', () => {
  const pageOf = (page: { offset: number; limit: number; total?: number }, address: Record<string, string> = {}) => {
    const { address: path, isReversed } = toPageAddress(searchOf(address), false, page)
    const params = new URL(path, 'http://watchroom.test').searchParams
    return [params.get('order'), params.get('offset'), params.get('limit'), isReversed]
  }
  const order = 'deleted_at.desc.nullsfirst,type.asc.nullslast,name.asc.nullslast,id.asc'
  const reversed = 'deleted_at.asc.nullslast,type.desc.nullsfirst,name.desc.nullsfirst,id.desc'

  it('is read from the beginning up to the middle, and while nobody knows how many there are', () => {
    expect(pageOf({ offset: 0, limit: 100 })).toEqual([order, '0', '100', false])
    expect(pageOf({ offset: 500, limit: 500, total: 1_000 })).toEqual([order, '500', '500', false])
  })

  it('is read from the end beyond the middle, the last one too', () => {
    expect(pageOf({ offset: 600, limit: 200, total: 1_000 })).toEqual([reversed, '200', '200', true])
    expect(pageOf({ offset: 900, limit: 500, total: 1_000 })).toEqual([reversed, '0', '100', true])
  })

  it('far from both ends is of ids, and its rows are read by them, a hundred at a time', () => {
    const page = { offset: 4_500, limit: 500, total: 10_000 }
    const { address, isOfIds } = toPageAddress(searchOf({}), true, page)
    expect(isOfIds).toBe(true)
    expect(new URL(address, 'http://watchroom.test').searchParams.get('select')).toBe('id')
    expect(toPageAddress(searchOf({}), true, { ...page, offset: 9_000 }).isOfIds).toBe(false)
    const ids = Array.from({ length: 250 }, (_, at) => `00000000-0000-4000-8000-${String(at).padStart(12, '0')}`)
    const addresses = toRowAddresses(ids)
    expect(addresses.map((one) => /id=in\.\((.*)\)$/.exec(one)?.[1]?.split(',') ?? [])).toEqual([
      ids.slice(0, 100),
      ids.slice(100, 200),
      ids.slice(200),
    ])
    expect(Math.max(...addresses.map(({ length }) => length))).toBeLessThan(5_000)
  })

  it('keeps the columns of groups, whatever they are called', () => {
    expect(pageOf({ offset: 9, limit: 5, total: 10 }, { search: 'a', groupBy: 'asc__tag' })[0]).toBe(
      `tags->>asc.desc.nullsfirst,${reversed}`,
    )
  })
})
