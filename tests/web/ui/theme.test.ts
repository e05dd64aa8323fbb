import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import { describe, expect, it } from 'vitest'

import { ROW_HEIGHT } from '../../../web/src/preferences/density.ts'

const css = readFileSync(join(import.meta.dirname, '../../../web/src/ui/theme.css'), 'utf8')

function tokensOf(selector: string): Record<string, string> {
  const start = css.indexOf(`${selector} {`)
  const block = css.slice(start, css.indexOf('\n}', start))
  return Object.fromEntries([...block.matchAll(/--wr-([\w-]+):\s*([^;]+);/g)].map(([, name, value]) => [name, value]))
}

const light = tokensOf(':root')
const dark = { ...light, ...tokensOf('.bp6-dark') }

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

describe.each([
  { theme: 'light', tokens: light },
  { theme: 'dark', tokens: dark },
])('$theme theme', ({ tokens }) => {
  const grounds = ['page', 'surface', 'raised', 'sunken', 'hover', 'selected']
  const inks = ['text', 'muted', 'accent', 'healthy', 'unhealthy', 'warning', 'unknown', 'running']

  it.each(grounds.flatMap((ground) => inks.map((ink) => ({ ground, ink }))))(
    'shows $ink text on $ground with at least 4.5:1',
    ({ ground, ink }) => {
      expect(contrast(tokens[ink], tokens[ground])).toBeGreaterThanOrEqual(4.5)
    },
  )

  it.each(['healthy', 'unhealthy', 'warning', 'unknown', 'running'])('shows %s text on its tint', (status) => {
    expect(contrast(tokens[status], tokens[`${status}-tint`])).toBeGreaterThanOrEqual(4.5)
  })

  it.each(['nav', 'nav-hover', 'nav-selected'])('shows navigation text on %s', (ground) => {
    expect(contrast(tokens['nav-text'], tokens[ground])).toBeGreaterThanOrEqual(4.5)
    expect(contrast(tokens['nav-muted'], tokens[ground])).toBeGreaterThanOrEqual(3)
    expect(contrast(tokens['nav-accent'], tokens[ground])).toBeGreaterThanOrEqual(3)
  })

  it.each(['page', 'surface', 'raised'])('shows focus and strong borders on %s with at least 3:1', (ground) => {
    expect(contrast(tokens['focus'], tokens[ground])).toBeGreaterThanOrEqual(3)
    expect(contrast(tokens['border-strong'], tokens[ground])).toBeGreaterThanOrEqual(3)
  })
})

describe('density', () => {
  it('has the same row heights in the style sheet and for virtual tables', () => {
    expect({
      comfortable: tokensOf("[data-density='comfortable']")['row-height'],
      default: light['row-height'],
      compact: tokensOf("[data-density='compact']")['row-height'],
    }).toEqual(Object.fromEntries(Object.entries(ROW_HEIGHT).map(([name, pixels]) => [name, `${pixels}px`])))
  })
})
