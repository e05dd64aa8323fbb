import { afterEach, describe, expect, it } from 'vitest'

import { type RenderedScreen, renderScreen } from '#support/web/renderScreen.tsx'

import { HealthBar } from '../../../../web/src/ui/config/HealthBar.tsx'

let screen: RenderedScreen
afterEach(() => screen.close())

describe('a health bar (third specification, section 9)', () => {
  it('is green, red, orange and gray in this order, in proportion, and says so in words', async () => {
    screen = await renderScreen(<HealthBar health={{ warning: 1, unhealthy: 3, healthy: 1200 }} count={1208} />)
    const bar = screen.container.querySelector('[role=img]')
    expect(bar?.getAttribute('aria-label')).toBe('1,200 healthy, 3 unhealthy, 1 warning, 4 unknown')
    const parts = [...(bar?.querySelectorAll<HTMLElement>('[data-health]') ?? [])]
    expect(parts.map((part) => [part.dataset['health'], part.style.flexGrow])).toEqual([
      ['healthy', '1200'],
      ['unhealthy', '3'],
      ['warning', '1'],
      ['unknown', '4'],
    ])
  })

  it('is nothing for nothing', async () => {
    screen = await renderScreen(<HealthBar health={null} count={0} />)
    expect(screen.container.querySelector('[role=img]')).toBeNull()
  })
})
