import { describe, expect, it } from 'vitest'

import { PanelSearchSchema } from '../../../../web/src/features/check-panel/search.ts'

const DEFAULTS = { checkTab: 'history', status: 'all', pageIndex: 0, pageSize: 50 }

describe('PanelSearchSchema', () => {
  it('is the first page of 50 of an unfiltered history when the address says nothing', () => {
    expect(PanelSearchSchema.parse({})).toEqual(DEFAULTS)
  })

  it('reads what a link carries', () => {
    const link = { checkTab: 'spec', status: 'unhealthy', minDuration: '1.5s', pageIndex: '3', pageSize: '200' }
    expect(PanelSearchSchema.parse(link)).toEqual({ ...link, pageIndex: 3, pageSize: 200 })
  })

  it.each([
    { checkTab: 'secrets' },
    { status: 'fine' },
    { minDuration: '2h' },
    { pageIndex: '-1' },
    { pageIndex: '1e9' },
    { pageIndex: ['1', '2'] },
    { pageSize: '7' },
    { pageSize: 'NaN' },
  ])('falls back for %j alone', (nonsense) => {
    const expected = { ...DEFAULTS, checkTab: 'checkTab' in nonsense ? 'history' : 'spec' }
    expect(PanelSearchSchema.parse({ checkTab: 'spec', ...nonsense })).toEqual(expected)
  })
})
