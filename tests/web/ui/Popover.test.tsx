import { Button, Menu, MenuItem } from '@blueprintjs/core'
import { act } from 'react'
import { afterEach, describe, expect, it } from 'vitest'

import { renderScreen, type RenderedScreen } from '#support/web/renderScreen.tsx'

import { IconButton } from '../../../web/src/ui/IconButton.tsx'
import { Popover } from '../../../web/src/ui/Popover.tsx'

let screen: RenderedScreen | null = null
afterEach(async () => {
  await screen?.close()
  screen = null
})

const render = async (): Promise<{ page: RenderedScreen; button: HTMLButtonElement }> => {
  const page = await renderScreen(
    <Popover placement="bottom" content={<button type="button">Inside</button>}>
      <Button text="More" />
    </Popover>,
  )
  screen = page
  const button = page.container.querySelector('button')
  if (!button) throw new Error('there is no button')
  return { page, button }
}

const inside = (): Element | undefined =>
  [...document.querySelectorAll('button')].find((button) => button.textContent === 'Inside')

describe('a popover', () => {
  it('opens and closes by its button, which stays the same element while what floats is loaded', async () => {
    const { page, button } = await render()
    expect(button.getAttribute('aria-haspopup')).toBe('menu')
    expect(button.getAttribute('aria-expanded')).toBe('false')
    await page.click(button)
    expect(button.getAttribute('aria-expanded')).toBe('true')
    await page.waitFor(() => expect(inside()).toBeDefined())
    expect(page.container.querySelector('button')).toBe(button)

    await page.click(button)
    expect(button.getAttribute('aria-expanded')).toBe('false')
    await page.waitFor(() => expect(inside()).toBeUndefined())
  })

  it('closes on Escape and gives the focus back', async () => {
    const { page, button } = await render()
    button.focus()
    await page.click(button)
    await page.waitFor(() => expect(inside()).toBeDefined())
    await page.press('Escape', inside() ?? null)
    expect(button.getAttribute('aria-expanded')).toBe('false')
    await page.waitFor(() => expect(inside()).toBeUndefined())
    expect(document.activeElement).toBe(button)
  })
})

describe('a menu', () => {
  it('begins at its first entry, and is moved through by arrows, Home and End, round its ends and past what cannot be done', async () => {
    const page = await renderScreen(
      <Popover
        placement="bottom"
        content={
          <Menu>
            <MenuItem text="Edit" />
            <MenuItem text="Archive" disabled />
            <MenuItem text="Sessions" />
            <MenuItem text="Delete" />
          </Menu>
        }
      >
        <Button text="More" />
      </Popover>,
    )
    screen = page
    await page.click(page.container.querySelector('button'))
    await page.waitFor(() => expect(document.querySelector('[role="menu"]')).not.toBeNull())
    const visited = [document.activeElement?.textContent]
    for (const key of ['ArrowDown', 'End', 'ArrowDown', 'ArrowUp', 'Home']) {
      await page.press(key)
      visited.push(document.activeElement?.textContent)
    }
    expect(visited).toEqual(['Edit', 'Sessions', 'Delete', 'Edit', 'Delete', 'Edit'])
  })
})

describe('a tip', () => {
  const tip = (): string | null => document.querySelector('.bp6-tooltip')?.textContent ?? null
  const enter = (target: Element | null): Promise<void> =>
    act(async () => void target?.dispatchEvent(new PointerEvent('pointerover', { bubbles: true })))

  it('shows the name of a button once the pointer rests on it, and goes with Escape', async () => {
    const page = await renderScreen(<IconButton icon={<i />} label="Reload" />)
    screen = page
    const button = page.container.querySelector('button')
    expect(button?.getAttribute('aria-label')).toBe('Reload')
    await enter(button)
    await page.advance(299)
    expect(tip()).toBeNull()
    await page.advance(1)
    await page.waitFor(() => expect(tip()).toBe('Reload'))
    expect(page.container.querySelector('button')).toBe(button)
    await page.press('Escape')
    await page.waitFor(() => expect(tip()).toBeNull())
  })
})
