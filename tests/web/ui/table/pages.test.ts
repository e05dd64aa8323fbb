import { describe, expect, it } from 'vitest'

import { clampPage, PAGE_SIZES, pageCount, SHORT_PAGE_SIZES } from '../../../../web/src/ui/table/pages.ts'

describe('pageCount', () => {
  it.each([
    { total: 0, size: 50, pages: 1 },
    { total: 50, size: 50, pages: 1 },
    { total: 51, size: 50, pages: 2 },
    { total: 137, size: 5, pages: 28 },
  ])('makes $pages pages of $total rows by $size', ({ total, size, pages }) => {
    expect(pageCount(total, size)).toBe(pages)
  })
})

describe('clampPage', () => {
  it.each([
    { typed: '2', page: 2 },
    { typed: '0', page: 1 },
    { typed: '-9', page: 1 },
    { typed: '99', page: 3 },
    { typed: '2.7', page: 2 },
    { typed: '1e9', page: 3 },
    { typed: '', page: undefined },
    { typed: '  ', page: undefined },
    { typed: 'two', page: undefined },
  ])('reads "$typed" as page $page of 3', ({ typed, page }) => {
    expect(clampPage(typed, 3)).toBe(page)
  })
})

describe('page sizes', () => {
  it('are those of the specification', () => {
    expect(PAGE_SIZES).toEqual([5, 10, 25, 50, 100, 150, 200, 250, 300, 500, 1000])
    expect(SHORT_PAGE_SIZES).toEqual([50, 100, 200])
  })
})
