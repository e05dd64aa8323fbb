import { CHECK_TYPES } from '@watchroom/shared/health/check-types'
import { afterEach, describe, expect, it } from 'vitest'

import { type RenderedScreen, renderScreen } from '#support/web/renderScreen.tsx'

import { CheckTypeIcon } from '../../../web/src/ui/CheckTypeIcon.tsx'

let screen: RenderedScreen
afterEach(() => screen.close())

const GENERAL = 'a type of the future'

describe('CheckTypeIcon', () => {
  it('has a picture for every type of check, which screen readers skip: the word stands beside it', async () => {
    screen = await renderScreen([...CHECK_TYPES, GENERAL, null].map((type) => <CheckTypeIcon key={type} type={type} />))
    const icons = [...screen.container.querySelectorAll('.wr-type-icon')]
    expect(icons).toHaveLength(CHECK_TYPES.length + 2)
    expect(icons.every((icon) => icon.getAttribute('aria-hidden') === 'true')).toBe(true)
    const pictures = icons.map((icon) => icon.querySelector('path')?.getAttribute('d'))
    const general = pictures.at(-2)
    expect(general).toBeTruthy()
    expect(CHECK_TYPES.filter((_, at) => pictures[at] === general)).toEqual([])
    expect(pictures.at(-1)).not.toBe(general)
  })
})
