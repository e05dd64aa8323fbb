import { act } from 'react'
import { afterEach, describe, expect, it } from 'vitest'

import { pageOf } from '#support/web/page.ts'
import { type RenderedScreen, renderScreen } from '#support/web/renderScreen.tsx'

// Loaded with the first tip; here beforehand, so that no test waits for it.
import '../../../web/src/ui/popups.tsx'
import { TimeAgo } from '../../../web/src/ui/TimeAgo.tsx'
import { Tip } from '../../../web/src/ui/Tip.tsx'

const REST_MS = 300

let page: RenderedScreen
afterEach(() => page.close())

const text = () => pageOf().text()
/** React makes enter and leave of these. */
const point = (type: 'pointerover' | 'pointerout', target: Element) =>
  act(async () => void target.dispatchEvent(new PointerEvent(type, { bubbles: true })))

async function render() {
  let made = 0
  const content = () => `made ${(made += 1)}`
  page = await renderScreen(
    <Tip content={content}>
      <button type="button">Save</button>
    </Tip>,
  )
  const button = page.container.querySelector('button')
  if (!button) throw new Error('there is no button')
  return { button, made: () => made }
}

describe('a tip', () => {
  it('shows when the pointer has rested, and goes with it; its content is made then', async () => {
    const { button, made } = await render()
    await point('pointerover', button)
    await page.advance(REST_MS - 1)
    expect(made()).toBe(0)
    await page.advance(1)
    await page.waitFor(() => expect(text()).toContain('made'))
    await point('pointerout', button)
    await page.waitFor(() => expect(text()).not.toContain('made'))
  })

  it('does not show for a pointer that passes', async () => {
    const { button, made } = await render()
    await point('pointerover', button)
    await page.advance(REST_MS - 1)
    await point('pointerout', button)
    await page.advance(REST_MS)
    expect(made()).toBe(0)
  })

  it('shows for the focus too; Escape ends it, and the next focus shows it again', async () => {
    const { button } = await render()
    await act(async () => button.focus())
    await page.advance(REST_MS)
    await page.waitFor(() => expect(text()).toContain('made'))
    await page.press('Escape', button)
    await page.waitFor(() => expect(text()).not.toContain('made'))
    await act(async () => button.blur())
    await act(async () => button.focus())
    await page.advance(REST_MS)
    await page.waitFor(() => expect(text()).toContain('made'))
  })
})

describe('how long ago', () => {
  it('says the exact time when it is pointed at', async () => {
    page = await renderScreen(<TimeAgo at="2026-03-04T05:06:07Z" />)
    const time = page.container.querySelector('time')
    if (!time) throw new Error('there is no time')
    await point('pointerover', time)
    await page.advance(REST_MS)
    await page.waitFor(() => expect(text()).toMatch(/Mar 0[345], 2026, \d\d:06:07/))
  })
})
