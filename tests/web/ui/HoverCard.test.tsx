import { act } from 'react'
import { afterEach, describe, expect, it, vi } from 'vitest'

import { type RenderedScreen, renderScreen } from '#support/web/renderScreen.tsx'

import { HoverCard } from '../../../web/src/ui/HoverCard.tsx'
// Loaded with the first card; here beforehand, so that no test waits for it.
import '../../../web/src/ui/popups.tsx'

const OPEN_MS = 1_000
const CLOSE_MS = 300

let page: RenderedScreen
afterEach(() => page.close())

async function render(opensOnClick = false) {
  page = await renderScreen(
    <HoverCard content="Ana, ana@example.org" opensOnClick={opensOnClick}>
      <button type="button">Ana</button>
    </HoverCard>,
  )
  const button = page.container.querySelector('button')
  const anchor = page.container.querySelector('.wr-hover-anchor')
  if (!button || !anchor) throw new Error('there is no button')
  return { button, anchor }
}

const card = () => document.querySelector('.wr-hover-card')
/** React makes enter and leave of these. */
const point = (type: 'pointerover' | 'pointerout', target: Element | null, pointerType = 'mouse') =>
  act(async () => void target?.dispatchEvent(new PointerEvent(type, { bubbles: true, pointerType })))

async function open() {
  const parts = await render()
  await point('pointerover', parts.anchor)
  await page.advance(OPEN_MS)
  await page.waitFor(() => expect(card()).not.toBeNull())
  return parts
}

describe('a hover card', () => {
  it('opens when the pointer has rested on its control for a second', async () => {
    const { anchor, button } = await render()
    await point('pointerover', anchor)
    await page.advance(OPEN_MS - 1)
    expect(button.getAttribute('aria-describedby')).toBeNull()
    await page.advance(1)
    await page.waitFor(() => expect(card()?.textContent).toBe('Ana, ana@example.org'))
    expect(button.getAttribute('aria-describedby')).toBe(card()?.id)
  })

  it('does not open for a pointer that passes, nor for a finger', async () => {
    const { anchor, button } = await render()
    await point('pointerover', anchor)
    await page.advance(OPEN_MS - 1)
    await point('pointerout', anchor)
    await page.advance(OPEN_MS)
    expect(button.getAttribute('aria-describedby')).toBeNull()
    await point('pointerover', anchor, 'touch')
    await page.advance(OPEN_MS)
    expect(button.getAttribute('aria-describedby')).toBeNull()
  })

  it('stays while the pointer is on the card, and goes when it is on neither', async () => {
    const { anchor } = await open()
    await point('pointerout', anchor)
    await page.advance(CLOSE_MS - 1)
    await point('pointerover', card())
    await page.advance(10 * CLOSE_MS)
    expect(card()).not.toBeNull()
    await point('pointerout', card())
    await page.advance(CLOSE_MS)
    await page.waitFor(() => expect(card()).toBeNull())
  })

  it('goes by Escape without moving pointer or focus; the dialog around it does not hear of it', async () => {
    const { button } = await open()
    const heard = vi.fn<(key: string) => void>()
    const listen = (event: KeyboardEvent): void => heard(event.key)
    document.addEventListener('keydown', listen)
    await page.press('Escape', button)
    expect(button.getAttribute('aria-describedby')).toBeNull()
    expect(heard).not.toHaveBeenCalled()
    await page.press('Escape', button)
    expect(heard).toHaveBeenCalledWith('Escape')
    document.removeEventListener('keydown', listen)
  })

  it('opens for the focus of the keyboard too, and goes with it', async () => {
    const { button } = await render()
    vi.spyOn(button, 'matches').mockReturnValue(true)
    await act(async () => button.focus())
    await page.advance(OPEN_MS)
    expect(button.getAttribute('aria-describedby')).not.toBeNull()
    await act(async () => button.blur())
    await page.advance(CLOSE_MS)
    expect(button.getAttribute('aria-describedby')).toBeNull()
  })

  it('opens at once by a click on a button that does nothing else, and closes by another', async () => {
    const { button } = await render(true)
    expect(button.getAttribute('aria-expanded')).toBe('false')
    await page.click(button)
    expect(button.getAttribute('aria-expanded')).toBe('true')
    await page.waitFor(() => expect(card()).not.toBeNull())
    await page.click(button)
    expect(button.getAttribute('aria-expanded')).toBe('false')
  })

  it('closes by a press elsewhere, which is all that a finger can do', async () => {
    const { button } = await render(true)
    await page.click(button)
    await page.waitFor(() => expect(card()).not.toBeNull())
    const press = (target: Element | null) =>
      act(async () => void target?.dispatchEvent(new PointerEvent('pointerdown', { bubbles: true })))
    await press(card())
    expect(button.getAttribute('aria-expanded')).toBe('true')
    await press(document.body)
    expect(button.getAttribute('aria-expanded')).toBe('false')
  })

  it('is out of the way once its control is used', async () => {
    const { button } = await open()
    await page.click(button)
    expect(button.getAttribute('aria-describedby')).toBeNull()
  })
})
