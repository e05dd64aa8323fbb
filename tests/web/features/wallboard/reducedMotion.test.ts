import { readFileSync } from 'node:fs'

import { beforeAll, describe, expect, it } from 'vitest'

const SHEETS = ['web/src/ui/theme.css', 'web/src/ui/ui.css', 'web/src/features/wallboard/wall.module.css']

beforeAll(() => {
  const style = document.createElement('style')
  style.textContent = SHEETS.map((path) => readFileSync(path, 'utf8')).join('\n')
  document.head.append(style)
})

/** The style of an element of this class for someone who asked their system for less motion, or did not. */
function styleOf(className: string, prefersReducedMotion: 'reduce' | 'no-preference'): CSSStyleDeclaration {
  const { happyDOM } = window as unknown as { happyDOM: { settings: { device: { prefersReducedMotion: string } } } }
  happyDOM.settings.device.prefersReducedMotion = prefersReducedMotion
  const element = document.createElement('span')
  element.className = className
  document.body.append(element)
  return getComputedStyle(element)
}

describe('a change of health on the wall', () => {
  it('is a flash of the whole tile', () => {
    const { animation, background } = styleOf('tileFlash', 'no-preference')
    expect(animation).toMatch(/^flash 0\.75s step-end 2$/)
    expect(background).not.toBe('none')
  })

  it('is a frame that stands for eight seconds where motion is not wanted', () => {
    const { animation, background, boxShadow } = styleOf('tileFlash', 'reduce')
    expect(animation).toBe('frame 8s step-end 1')
    expect(background).toContain('none')
    expect(boxShadow).toMatch(/^inset 0 0 0 [\d.]+em/)
  })
})

describe('whatever else moves', () => {
  it.each(['wr-spin', 'wr-skeleton', 'wr-late'])('.%s ends at once where motion is not wanted', (className) => {
    expect(styleOf(className, 'reduce').animationDuration).toBe('0.01ms')
    expect(styleOf(className, 'reduce').animationIterationCount).toBe('1')
    expect(styleOf(className, 'no-preference').animationDuration).not.toBe('0.01ms')
  })
})
