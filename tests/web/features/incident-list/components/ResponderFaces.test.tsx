import { afterEach, describe, expect, it } from 'vitest'

import { type RenderedScreen, renderScreen } from '#support/web/renderScreen.tsx'

import { ResponderFaces } from '../../../../../web/src/features/incident-list/components/ResponderFaces.tsx'
// Loaded with the first card; here beforehand, so that no test waits for it.
import '../../../../../web/src/ui/popups.tsx'

let screen: RenderedScreen
afterEach(() => screen.close())

describe('ResponderFaces', () => {
  it('names everyone behind the faces on a card, and to a screen reader at once', async () => {
    const names = ['Ana Ash', 'Bo', 'Cy Cole', 'Di', 'Ed', 'Fay Fox']
    screen = await renderScreen(
      <ResponderFaces responders={names.map((name, index) => ({ id: `p${index}`, name, avatar: null }))} />,
    )
    const faces = screen.container.querySelector('button')
    expect([...(faces?.children ?? [])].map((face) => face.getAttribute('data-letters'))).toEqual([
      'AA',
      'B',
      'CC',
      'D',
      'E',
      '+1',
    ])
    expect(faces?.textContent).toBe('')
    expect(faces?.getAttribute('aria-label')).toBe(`Responders: ${names.join(', ')}`)
    await screen.click(faces)
    await screen.waitFor(() =>
      expect(
        [...document.querySelectorAll('[aria-label="Responders"] li')].map(({ textContent }) => textContent),
      ).toEqual(names),
    )
  })
})
