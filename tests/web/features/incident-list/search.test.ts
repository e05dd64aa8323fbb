import { describe, expect, it } from 'vitest'

import {
  DEFAULT_FILTERS,
  DEFAULT_PAGE_SIZE,
  type IncidentSearch,
  IncidentSearchSchema,
} from '../../../../web/src/features/incident-list/search.ts'
import { parseSearch, stringifySearch } from '../../../../web/src/url/searchParams.ts'
import { mergeSearch } from '../../../../web/src/url/useSearchState.ts'

const read = (address: string) => IncidentSearchSchema.parse(parseSearch(address))
const write = (patch: Partial<IncidentSearch>, from = '') =>
  stringifySearch(mergeSearch(parseSearch(from), patch, IncidentSearchSchema))

describe('IncidentSearchSchema', () => {
  it('starts with the open incidents, whatever else they are', () => {
    expect(read('')).toEqual({ ...DEFAULT_FILTERS, pageSize: DEFAULT_PAGE_SIZE })
    expect(read('').status).toBe('open')
  })

  it.each<[string, Partial<IncidentSearch>]>([
    ['?type=technicalDebt', { type: 'technicalDebt' }],
    ['?severity=critical', { severity: 'critical' }],
    ['?status=closed', { status: 'closed' }],
    ['?status=all', { status: 'all' }],
    ['?component=c1&owner=p1&search=disk', { owner: 'p1', component: 'c1', search: 'disk' }],
    ['?pageIndex=2&pageSize=50', { pageIndex: 2, pageSize: 50 }],
  ])('reads and writes %s', (address, patch) => {
    expect(read(address)).toEqual({ ...read(''), ...patch })
    expect(write(patch)).toBe(address)
  })

  it('leaves out what filters nothing', () => {
    expect(write({ type: 'all', severity: 'all', owner: '', component: '', search: '' }, '?type=cost&owner=p1')).toBe(
      '',
    )
    expect(read('?owner=all&component=all')).toEqual(read(''))
  })

  it('falls back key by key when the address is nonsense', () => {
    expect(read('?type=moon&severity=&status=OPEN&pageIndex=-1&pageSize=7&search=a&search=b&owner=p1')).toEqual({
      ...read(''),
      owner: 'p1',
    })
  })
})
