import { CHECK_TYPES } from '@watchroom/shared/health/check-types'
import type { ReactNode } from 'react'
import { afterEach, describe, expect, it } from 'vitest'

import { type RenderedScreen, renderScreen } from '#support/web/renderScreen.tsx'

import { CheckTypeIcon } from '../../../web/src/ui/CheckTypeIcon.tsx'
import { ConfigTypeIcon } from '../../../web/src/ui/config/ConfigTypeIcon.tsx'

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

  it('draws the picture that a check names, and that of its type for a name that says nothing', async () => {
    const picture = () => screen.container.querySelector('.wr-type-icon path')?.getAttribute('d')
    const pictureOf = async (icon: ReactNode): Promise<string | null | undefined> => {
      screen = await renderScreen(icon)
      const drawn = picture()
      await screen.close()
      return drawn
    }
    const http = await pictureOf(<CheckTypeIcon type="http" />)
    const dns = await pictureOf(<CheckTypeIcon type="dns" />)
    const server = await pictureOf(<ConfigTypeIcon type="server" />)
    expect(new Set([http, dns, server]).size).toBe(3)
    for (const [icon, expected] of [
      ['server', server],
      ['aws-server', server],
      ['dns', dns],
      ['', http],
      ['a-picture-of-nothing', http],
    ]) {
      screen = await renderScreen(<CheckTypeIcon type="http" icon={icon} />)
      // What is named is loaded then.
      await screen.waitFor(() => expect([icon, picture()]).toEqual([icon, expected]))
      await screen.close()
    }
  })
})
