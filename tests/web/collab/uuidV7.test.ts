import { describe, expect, it } from 'vitest'

import { uuidV7 } from '../../../web/src/collab/uuidV7.ts'

describe('uuidV7', () => {
  it.each([0, 1_795_215_413_611, 1_795_215_413_611.8])('is a UUID for the time %d', (now) => {
    const id = uuidV7(now, () => 0.999_999)
    expect(id).toMatch(/^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/)
    expect(Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16)).toBe(Math.floor(now))
  })

  it('sorts by time', () => {
    const ids = [5, 4_294_967_296, 1_795_215_413_611].map((now) => uuidV7(now, () => 0.5))
    expect(ids.toSorted()).toEqual(ids)
  })
})
