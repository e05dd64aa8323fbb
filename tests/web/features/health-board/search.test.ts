import { describe, expect, it } from 'vitest'

import { stringifyLabelFilter } from '../../../../web/src/features/health-board/labelSearch.ts'
import { HealthSearchSchema } from '../../../../web/src/features/health-board/search.ts'
import { parseSearch, stringifySearch } from '../../../../web/src/url/searchParams.ts'
import { mergeSearch } from '../../../../web/src/url/useSearchState.ts'

const parse = (address: string) => HealthSearchSchema.parse(parseSearch(address))

describe('HealthSearchSchema', () => {
  it('has the defaults of the specification', () => {
    expect(parse('')).toEqual({
      query: '',
      layout: 'table',
      labels: '',
      sortDesc: false,
      tab: '',
      pivotBy: 'none',
      pivotLabel: '',
      pivotCellType: 'status',
    })
  })

  it('reads back what it writes', () => {
    const chosen = {
      query: 'a & b',
      checkId: '018f',
      layout: 'card',
      labels: stringifyLabelFilter(
        new Map([
          ['canary:team:a, b&c', 1],
          ['canary:env:prod', -1],
        ]),
      ),
      sortBy: 'latency',
      sortDesc: true,
      hidePassing: false,
      groupBy: 'label:team/a',
      tabBy: 'agent_id',
      tab: 'north & south',
      pivotBy: 'labels',
      pivotLabel: 'team',
      pivotCellType: 'last_transition_time',
      timeRange: '3mo',
    } as const
    expect(parse(stringifySearch(mergeSearch({}, chosen, HealthSearchSchema)))).toEqual(chosen)
  })

  it.each([
    ['sortBy=color', { sortBy: undefined }],
    ['sortDesc=maybe', { sortDesc: false }],
    ['hidePassing=1', { hidePassing: undefined }],
    ['groupBy=moon', { groupBy: undefined }],
    ['tabBy=moon', { tabBy: undefined }],
    ['layout=list', { layout: 'table' }],
    ['labels=nonsense', { labels: '' }],
    ['labels=%5B1%5D', { labels: '' }],
    ['labels=%25E0%25A4', { labels: '' }],
    ['pivotBy=color', { pivotBy: 'none' }],
    ['pivotCellType=color', { pivotCellType: 'status' }],
    ['tab=a&tab=b', { tab: '' }],
    ['timeRange=1h&timeRange=2h', { timeRange: undefined }],
    ['checkId=', { checkId: undefined }],
    ['query=a&query=b', { query: '' }],
    ['sortBy=name&sortBy=health', { sortBy: undefined }],
  ])('falls back for the one bad key in %s', (bad, fallback) => {
    const [key = ''] = Object.keys(fallback)
    const others = Object.entries({ query: 'kept', sortBy: 'health', sortDesc: 'true' }).filter(
      ([name]) => name !== key,
    )
    const parsed = parse(`${bad}&${new URLSearchParams(others).toString()}`)
    expect(parsed).toMatchObject(fallback)
    const read = new Map(Object.entries(parsed).map(([name, value]) => [name, String(value)]))
    expect(others.map(([name]) => [name, read.get(name)])).toEqual(others)
  })
})
