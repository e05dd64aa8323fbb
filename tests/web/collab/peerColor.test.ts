import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import { describe, expect, it } from 'vitest'

import { PEER_COLORS, peerColor } from '../../../web/src/collab/peerColor.ts'

const read = (path: string): string => readFileSync(join(import.meta.dirname, '../../../web/src', path), 'utf8')
const collab = read('collab/collab.css')
const theme = read('ui/theme.css')

function tokensOf(css: string, selector: string): Record<string, string> {
  const start = css.indexOf(`${selector} {`)
  const block = css.slice(start, css.indexOf('\n}', start))
  return Object.fromEntries([...block.matchAll(/--([\w-]+):\s*([^;]+);/g)].map(([, name, value]) => [name, value]))
}

/** Relative luminance of WCAG 2.2. */
function luminance(hex: string): number {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => {
    const channel = Number.parseInt(hex.slice(at, at + 2), 16) / 255
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

function contrast(a = '', b = ''): number {
  const [high = 0, low = 0] = [luminance(a), luminance(b)].toSorted((x, y) => y - x)
  return (high + 0.05) / (low + 0.05)
}

const colors = Array.from({ length: PEER_COLORS }, (_, index) => index)

describe.each([
  { name: 'light', selector: ':root' },
  { name: 'dark', selector: '.bp6-dark' },
])('identity colors of the $name theme', ({ selector }) => {
  const own = tokensOf(collab, selector)
  const grounds = { ...tokensOf(theme, ':root'), ...tokensOf(theme, selector) }

  it.each(colors)('carry text and stand out on every ground: %i', (color) => {
    const ink = own[`collab-peer-${color}`]
    expect(contrast(own['collab-on-peer'], ink)).toBeGreaterThanOrEqual(4.5)
    for (const ground of ['page', 'surface', 'raised', 'sunken'])
      expect(contrast(ink, grounds[`wr-${ground}`])).toBeGreaterThanOrEqual(3)
  })
})

describe('peerColor', () => {
  it('gives a person the same color every time, and uses all of them', () => {
    expect(peerColor('ana')).toBe(peerColor('ana'))
    const used = new Set(Array.from({ length: 200 }, (_, index) => peerColor(`user-${index}`)))
    expect([...used].toSorted((a, b) => a - b)).toEqual(colors)
  })

  it('has a rule for every color', () => {
    for (const color of colors) expect(collab).toContain(`[data-peer-color='${color}']`)
  })
})
