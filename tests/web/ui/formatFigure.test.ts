import { describe, expect, it } from 'vitest'

import { formatFigure } from '../../../web/src/ui/formatFigure.ts'

describe('a figure', () => {
  it.each([0, 7, 999, 1_000, 43_210, 1_234_567.891_2, -12.5])('is written as the browser writes %d', (figure) => {
    expect(formatFigure(figure)).toBe(figure.toLocaleString())
  })
})
