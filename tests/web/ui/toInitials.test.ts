import { describe, expect, it } from 'vitest'

import { toInitials } from '../../../web/src/ui/toInitials.ts'

describe('toInitials', () => {
  it.each([
    ['Ana Maria Ash', 'AA'],
    ['robin', 'R'],
    ['robin.reed@example.com', 'RC'],
    ['Edge platform (demo)', 'ED'],
    ['  ', '?'],
    ['\u{1D4D0}da', '\u{1D4D0}'],
  ])('reads %j as %s', (name, initials) => {
    expect(toInitials(name)).toBe(initials)
  })
})
