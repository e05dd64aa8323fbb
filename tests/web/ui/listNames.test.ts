import { describe, expect, it } from 'vitest'

import { listNames } from '../../../web/src/ui/listNames.ts'

describe('listNames', () => {
  it.each([
    [[], ''],
    [['Ana'], 'Ana'],
    [['Ana', 'Bo'], 'Ana and Bo'],
    [['Ana', 'Bo', 'Cy', 'Di'], 'Ana, Bo, Cy and Di'],
  ])('names all of %j', (names, text) => {
    expect(listNames(names)).toBe(text)
  })

  it('counts those beyond the limit, but never a single one', () => {
    expect(listNames(['Ana', 'Bo', 'Cy', 'Di'], 2)).toBe('Ana, Bo and 2 more')
    expect(listNames(['Ana', 'Bo', 'Cy'], 2)).toBe('Ana, Bo and Cy')
  })
})
