import { orderKeyBetween } from '@watchroom/shared/collab'
import { describe, expect, it } from 'vitest'

import { createRandom } from '#support/random.ts'

describe('orderKeyBetween', () => {
  it('[DOC-11] sorts between its neighbors, at both ends and after thousands of inserts at one place', () => {
    const random = createRandom(7)
    const keys = [orderKeyBetween(null, null, random)]
    for (let insert = 0; insert < 3000; insert++) {
      const index = Math.floor(random() * (keys.length + 1))
      keys.splice(index, 0, orderKeyBetween(keys[index - 1] ?? null, keys[index] ?? null, random))
    }
    expect(keys).toEqual(keys.toSorted())
    expect(new Set(keys).size).toBe(keys.length)
  })

  it('[DOC-11] stays short when every insert goes to the front', () => {
    const random = createRandom(3)
    let first = orderKeyBetween(null, null, random)
    for (let insert = 0; insert < 60; insert++) first = orderKeyBetween(null, first, random)
    expect(first.length).toBeLessThan(200)
  })

  it('refuses neighbors in the wrong order', () => {
    expect(() => orderKeyBetween('b', 'a', () => 0)).toThrow(RangeError)
  })
})
