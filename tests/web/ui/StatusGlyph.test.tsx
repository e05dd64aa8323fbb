import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import { afterEach, describe, expect, it } from 'vitest'

import { type GlyphStatus, StatusGlyph } from '../../../web/src/ui/StatusGlyph.tsx'
import { type RenderedScreen, renderScreen } from '../../support/web/renderScreen.tsx'

const css = readFileSync(join(import.meta.dirname, '../../../web/src/ui/theme.css'), 'utf8')
const [light = '', dark = ''] = css.split('.bp6-dark {')

/** What people call the color of a token. */
function colorOf(token: string, theme: string): string {
  const hex = new RegExp(`--wr-${token}: #([0-9a-f]{6});`).exec(theme)?.[1] ?? ''
  const [red = 0, green = 0, blue = 0] = [0, 2, 4].map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255)
  const [max, min] = [Math.max(red, green, blue), Math.min(red, green, blue)]
  if (max - min < 0.16) return 'grey'
  const sector =
    max === red ? ((green - blue) / (max - min) + 6) % 6 : max === green ? (blue - red) / (max - min) + 2 : 4
  const hue = sector * 60
  if (hue < 20 || hue > 340) return 'red'
  if (hue < 50) return 'orange'
  return hue > 100 && hue < 180 ? 'green' : `hue ${Math.round(hue)}`
}

let screen: RenderedScreen
afterEach(() => screen.close())

describe('StatusGlyph', () => {
  it.each<[GlyphStatus, string, string]>([
    ['healthy', 'Healthy', 'green'],
    ['unhealthy', 'Unhealthy', 'red'],
    ['warning', 'Warning', 'orange'],
    ['unknown', 'Unknown', 'grey'],
    ['paused', 'Suspended', 'grey'],
  ])('tells %s by the word %s, a shape and %s', async (status, word, color) => {
    screen = await renderScreen(<StatusGlyph status={status} />)
    const glyph = screen.container.querySelector<HTMLElement>('.wr-status')
    expect(glyph?.textContent).toBe(word)
    expect(glyph?.querySelector('svg')?.getAttribute('aria-hidden')).toBe('true')
    const token = /var\(--wr-(\w+)\)/.exec(glyph?.style.color ?? '')?.[1] ?? ''
    expect([colorOf(token, light), colorOf(token, dark)]).toEqual([color, color])
  })

  it('has a shape of its own for each', async () => {
    const all: GlyphStatus[] = ['healthy', 'unhealthy', 'warning', 'unknown', 'paused', 'running', 'deleted']
    screen = await renderScreen(all.map((status) => <StatusGlyph key={status} status={status} />))
    const shapes = [...screen.container.querySelectorAll('svg')].map((svg) => svg.innerHTML)
    expect(new Set(shapes).size).toBe(all.length)
  })

  it('keeps its word as the name of the shape when only the shape is shown', async () => {
    screen = await renderScreen(<StatusGlyph status="warning" word="Mixed" isWordHidden />)
    expect(screen.container.querySelector('[role=img]')?.getAttribute('aria-label')).toBe('Mixed')
    expect(screen.container.querySelector('.wr-status')?.textContent).toBe('')
  })
})
