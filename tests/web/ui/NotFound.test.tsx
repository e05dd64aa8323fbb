import { afterEach, describe, expect, it } from 'vitest'

import { type RenderedScreen, renderScreen } from '#support/web/renderScreen.tsx'

import { NotFound } from '../../../web/src/ui/NotFound.tsx'

let screen: RenderedScreen
afterEach(() => screen.close())

describe('NotFound', () => {
  it.each([
    { title: undefined, shown: 'Details not found' },
    { title: 'Run not found', shown: 'Run not found' },
  ])('says what is not there and why: $shown', async ({ title, shown }) => {
    screen = await renderScreen(<NotFound noun="run" {...(title === undefined ? {} : { title })} />)
    expect(screen.container.textContent).toBe(
      `${shown}There’s no run at this address. It may have been deleted permanently.`,
    )
  })
})
