import { afterEach, describe, expect, it } from 'vitest'

import { type RenderedScreen, renderScreen } from '#support/web/renderScreen.tsx'

import { HelpMenu } from '../../../web/src/app/HelpMenu.tsx'
// Loaded with the first press of the key; here beforehand, so that no test waits for it.
import '../../../web/src/app/KeysDialog.tsx'

let screen: RenderedScreen
afterEach(() => screen.close())

const dialog = () => document.querySelector('[role="dialog"]')
const titles = () => [...(dialog()?.querySelectorAll('h3') ?? [])].map(({ textContent }) => textContent)

describe('HelpMenu', () => {
  it.each([
    ['/health', 'Health board'],
    ['/incidents/01', 'Incident'],
    ['/topology', 'Topology'],
    ['/settings/agents', 'Everywhere'],
  ])('shows the keys on ?, on %s those of the page first: %s', async (address, first) => {
    screen = await renderScreen(<HelpMenu />, { address })
    await screen.press('?', document.body)
    await screen.waitFor(() => expect(titles()[0]).toBe(first))
    expect(titles()).toHaveLength(11)
  })

  it('gives the focus back to where it was, else to the help', async () => {
    screen = await renderScreen(
      <>
        <HelpMenu />
        <button type="button">Row</button>
      </>,
    )
    const [help, row] = screen.container.querySelectorAll('button')
    for (const [before, after] of [
      [row, row],
      [document.body, help],
    ]) {
      ;(document.activeElement as HTMLElement | null)?.blur()
      before?.focus()
      await screen.press('?', document.body)
      await screen.waitFor(() => expect(dialog()).not.toBeNull())
      await screen.click([...document.querySelectorAll('button')].find((one) => one.textContent === 'Close') ?? null)
      await screen.waitFor(() => expect(document.activeElement).toBe(after))
    }
  })

  it('leaves the key to who is writing', async () => {
    screen = await renderScreen(
      <>
        <HelpMenu />
        <input />
      </>,
    )
    await screen.press('?', screen.container.querySelector('input'))
    await screen.advance(0)
    expect(dialog()).toBeNull()
  })
})
