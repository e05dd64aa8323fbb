// @vitest-environment happy-dom
import { act, useState } from 'react'
import { afterEach, describe, expect, it } from 'vitest'

import { PAGE_SIZES, SHORT_PAGE_SIZES } from '../../../web/src/ui/pagination.ts'
import { Pagination } from '../../../web/src/ui/Pagination.tsx'
import { type RenderedScreen, renderScreen } from '../../support/web/renderScreen.tsx'
import { setField } from '../../support/web/setField.ts'

function Pages({ total }: { total: number }) {
  const [place, setPlace] = useState({ pageIndex: 0, pageSize: 50 })
  return (
    <Pagination
      {...place}
      total={total}
      pageSizes={SHORT_PAGE_SIZES}
      onPageChange={(pageIndex) => setPlace({ ...place, pageIndex })}
      onPageSizeChange={(pageSize) => setPlace({ pageIndex: 0, pageSize })}
    />
  )
}

let screen: RenderedScreen
const place = (): string | null | undefined => screen.container.querySelector('.wr-pagination-place')?.textContent
const button = (text: string): HTMLButtonElement | null =>
  [...screen.container.querySelectorAll('button')].find(({ textContent }) => textContent === text) ?? null

afterEach(() => screen.close())

describe('Pagination', () => {
  it('says which page it is and moves to the first, previous, next and last', async () => {
    screen = await renderScreen(<Pages total={137} />)
    expect(place()).toBe('Page 1 of 3')
    expect([button('<<')?.disabled, button('Previous')?.disabled]).toEqual([true, true])
    await screen.click(button('Next'))
    expect(place()).toBe('Page 2 of 3')
    await screen.click(button('>>'))
    expect(place()).toBe('Page 3 of 3')
    expect([button('Next')?.disabled, button('>>')?.disabled]).toEqual([true, true])
    await screen.click(button('Previous'))
    await screen.click(button('<<'))
    expect(place()).toBe('Page 1 of 3')
  })

  it('goes to a typed page, brought between the first and the last', async () => {
    screen = await renderScreen(<Pages total={137} />)
    const field = screen.container.querySelector('input')
    for (const [typed, page] of [
      ['2', 'Page 2 of 3'],
      ['99', 'Page 3 of 3'],
      ['0', 'Page 1 of 3'],
    ] as const) {
      await screen.type(field, typed)
      await act(async () => field?.form?.requestSubmit())
      expect(place()).toBe(page)
    }
  })

  it('offers the page sizes it is given', async () => {
    screen = await renderScreen(<Pages total={137} />)
    const select = screen.container.querySelector('select')
    expect([...(select?.options ?? [])].map(({ value }) => value)).toEqual(['50', '100', '200'])
    await setField(select, '200')
    expect(place()).toBe('Page 1 of 1')
  })
})

describe('page sizes', () => {
  it('are those of the specification', () => {
    expect(PAGE_SIZES).toEqual([5, 10, 25, 50, 100, 150, 200, 250, 300, 500, 1000])
    expect(SHORT_PAGE_SIZES).toEqual([50, 100, 200])
  })
})
