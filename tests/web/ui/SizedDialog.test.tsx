import { readFileSync } from 'node:fs'

import { useState } from 'react'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'

import { type RenderedScreen, renderScreen } from '#support/web/renderScreen.tsx'

import { type DialogSize, SizedDialog } from '../../../web/src/ui/SizedDialog.tsx'

let screen: RenderedScreen
afterEach(() => screen.close())

beforeAll(() => {
  const style = document.createElement('style')
  style.textContent = readFileSync('web/src/ui/sizedDialog.css', 'utf8')
  document.head.append(style)
})

function resizeWindow(width: number): void {
  const { happyDOM } = window as unknown as { happyDOM: { setViewport: (size: { width: number }) => void } }
  happyDOM.setViewport({ width })
}

async function widthOf(size: DialogSize, windowWidth: number): Promise<string> {
  resizeWindow(windowWidth)
  screen = await renderScreen(<SizedDialog isOpen size={size} title="Sizes" className="own-class" />)
  const dialog = document.querySelector('.bp6-dialog.own-class')
  if (dialog === null) throw new Error('no dialog')
  return getComputedStyle(dialog).width
}

describe('SizedDialog', () => {
  it.each([
    ['medium', 2560, '1000px'],
    ['medium', 1280, '1000px'],
    ['medium', 1279, '880px'],
    ['medium', 1023, 'calc(1023px - 48px)'],
    ['medium', 390, 'calc(390px - 24px)'],
    ['small', 1280, '640px'],
    ['small', 1023, '560px'],
    ['small', 390, 'calc(390px - 24px)'],
    ['very-small', 1280, '440px'],
    ['very-small', 390, 'calc(390px - 24px)'],
    ['full', 2560, '1440px'],
    ['full', 1280, 'calc(1280px - 48px)'],
    ['full', 390, '390px'],
  ] as const)('makes a %s dialog in a window of %d px %s wide', async (size, windowWidth, width) => {
    expect(await widthOf(size, windowWidth)).toBe(width)
  })

  it('gives the focus back to what opened it when it goes without a closing of its own', async () => {
    function Opener() {
      const [isOpen, setOpen] = useState(false)
      return (
        <>
          <button type="button" onClick={() => setOpen(true)}>
            Open
          </button>
          {isOpen ? (
            <SizedDialog isOpen size="small" title="Sizes">
              <button type="button" onClick={() => setOpen(false)}>
                Close it
              </button>
            </SizedDialog>
          ) : null}
        </>
      )
    }
    screen = await renderScreen(<Opener />)
    const opener = screen.container.querySelector('button')
    opener?.focus()
    await screen.click(opener)
    const inside = [...document.querySelectorAll('button')].find(({ textContent }) => textContent === 'Close it')
    inside?.focus()
    expect(document.activeElement).toBe(inside)
    await screen.click(inside ?? null)
    await screen.waitFor(() => expect(document.activeElement).toBe(opener))
  })
})
