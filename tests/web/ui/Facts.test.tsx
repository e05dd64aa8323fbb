import { afterEach, describe, expect, it } from 'vitest'

import { type RenderedScreen, renderScreen } from '#support/web/renderScreen.tsx'

import { Facts } from '../../../web/src/ui/Facts.tsx'

let screen: RenderedScreen
afterEach(() => screen.close())

describe('Facts', () => {
  it('leaves out what is not known', async () => {
    screen = await renderScreen(
      <Facts
        facts={[
          ['Type', 'diff'],
          ['By', null],
          ['Source', ''],
          ['Count', 0],
          ['At', undefined],
        ]}
      />,
    )
    const said = [...screen.container.querySelectorAll('dt, dd')].map(({ textContent }) => textContent)
    expect(said).toEqual(['Type', 'diff', 'Count', '0'])
  })
})
