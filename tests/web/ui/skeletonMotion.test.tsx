import { readFileSync } from 'node:fs'

import { afterEach, beforeAll, expect, it } from 'vitest'

import { type RenderedScreen, renderScreen } from '#support/web/renderScreen.tsx'

import { LoadingSkeleton } from '../../../web/src/ui/LoadingSkeleton.tsx'

let screen: RenderedScreen | null = null

beforeAll(() => {
  const style = document.createElement('style')
  style.textContent = readFileSync('web/src/ui/ui.css', 'utf8')
  document.head.append(style)
})

afterEach(async () => {
  await screen?.close()
  screen = null
})

// Each thing that moves is a layer of its own to a browser.
it('moves as a whole, and only once waiting gets long', async () => {
  screen = await renderScreen(<LoadingSkeleton rows={3} />)
  const moving = [...document.body.querySelectorAll('*')].filter(
    (element) => getComputedStyle(element).animation !== '',
  )
  expect(moving.map((element) => element.className)).toEqual(['wr-skeleton'])
  const animations = moving.map((element) => getComputedStyle(element).animation.replaceAll(/\s+/g, ' '))
  expect(animations).toEqual([expect.stringContaining('wr-breathe 1.6s 1s')])
})
