import { describe, expect, it } from 'vitest'

import { HealthSearchSchema } from '../../../../web/src/features/health/search.ts'
import { parseSearch, stringifySearch } from '../../../../web/src/url/searchParams.ts'
import { mergeSearch } from '../../../../web/src/url/useSearchState.ts'

const parse = (address: string) => HealthSearchSchema.parse(parseSearch(address))

describe('HealthSearchSchema', () => {
  it('has the defaults of the specification', () => {
    expect(parse('')).toEqual({ query: '', sortBy: 'name', sortDesc: false, timeRange: '1h' })
  })

  it('reads back what it writes', () => {
    const chosen = {
      query: 'a & b',
      checkId: '018f',
      sortBy: 'latency',
      sortDesc: true,
      hidePassing: false,
      groupBy: 'label:team/a',
      timeRange: '3mo',
    } as const
    expect(parse(stringifySearch(mergeSearch({}, chosen, HealthSearchSchema)))).toEqual(chosen)
  })

  it.each([
    ['sortBy=colour', { sortBy: 'name' }],
    ['sortDesc=maybe', { sortDesc: false }],
    ['hidePassing=1', { hidePassing: undefined }],
    ['groupBy=moon', { groupBy: undefined }],
    ['timeRange=4h', { timeRange: '1h' }],
    ['checkId=', { checkId: undefined }],
    ['query=a&query=b', { query: '' }],
    ['sortBy=name&sortBy=health', { sortBy: 'name' }],
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
