import { afterEach, describe, expect, it } from 'vitest'

import { type RenderedScreen, renderScreen } from '#support/web/renderScreen.tsx'

import { DocsScreen } from '../../../../web/src/features/docs/screens/DocsScreen.tsx'
import type { TopicState } from '../../../../web/src/live/contract.ts'
import { freshnessText } from '../../../../web/src/live/freshnessText.ts'

const STATES = { live: 0, delayed: 0, offline: 0, denied: 0, failed: 0, loading: 0 } satisfies Record<
  TopicState,
  number
>

let screen: RenderedScreen
afterEach(() => screen.close())

describe('DocsScreen', () => {
  it('explains every word with which a screen says how old its data is', async () => {
    screen = await renderScreen(<DocsScreen />)
    const terms = [...screen.container.querySelectorAll('section[aria-labelledby="docs-freshness"] dt')]
    const explained = terms.map((term) => term.textContent)
    const texts = Object.keys(STATES).flatMap((state) =>
      (['socket', 'polling'] as const).flatMap((via) =>
        [true, false].map((hasRows) =>
          freshnessText({
            state: state as TopicState,
            via,
            asOf: null,
            ageMs: 0,
            downMs: 0,
            hasRows,
            zone: 'UTC',
          }),
        ),
      ),
    )
    expect(texts.filter((text) => !explained.some((word) => text.startsWith(word)))).toEqual([])
    expect(explained.filter((word) => !texts.some((text) => text.startsWith(word)))).toEqual([])
  })
})
