import { Suspense } from 'react'
import { afterEach, expect, it, vi } from 'vitest'

import { renderScreen, type RenderedScreen } from '#support/web/renderScreen.tsx'

import { lazyPart } from '../../../web/src/ui/lazyPart.tsx'

let screen: RenderedScreen | null = null
afterEach(async () => {
  await screen?.close()
  screen = null
})

it('keeps the page around a part that cannot be loaded, says so in its place, and asks for it again on demand', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined)
  let isGone = true
  const Part = lazyPart<{ name: string }>(async () => {
    if (isGone) throw new TypeError('Failed to fetch dynamically imported module')
    return ({ name }: { name: string }) => <p>Hello {name}</p>
  })
  const page = await renderScreen(
    <>
      <h1>Around it</h1>
      <Suspense>
        <Part name="Ada" />
      </Suspense>
    </>,
  )
  screen = page
  const text = (): string => page.container.textContent
  await page.waitFor(() => expect(text()).toContain('This part could not be loaded.'))
  expect(text()).toContain('Around it')
  expect(text()).toContain('Reload the page')

  isGone = false
  const again = [...page.container.querySelectorAll('button')].find((each) => each.textContent === 'Try again')
  await page.click(again ?? null)
  await page.waitFor(() => expect(text()).toBe('Around itHello Ada'))
})
