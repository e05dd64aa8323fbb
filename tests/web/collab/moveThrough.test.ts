import { describe, expect, it } from 'vitest'

import { moveThrough, type TextDelta } from '../../../web/src/collab/moveThrough.ts'

describe('moveThrough', () => {
  it.each<{ name: string; index: number; delta: TextDelta; moved: number }>([
    { name: 'past an insertion before it', index: 3, delta: [{ retain: 1 }, { insert: 'xy' }], moved: 5 },
    { name: 'not for one behind it', index: 3, delta: [{ retain: 4 }, { insert: 'xy' }], moved: 3 },
    { name: 'not for one exactly there', index: 3, delta: [{ retain: 3 }, { insert: 'xy' }], moved: 3 },
    { name: 'back with a deletion before it', index: 3, delta: [{ delete: 2 }], moved: 1 },
    { name: 'to the start of a deletion around it', index: 3, delta: [{ retain: 2 }, { delete: 4 }], moved: 2 },
    { name: 'not for a deletion behind it', index: 3, delta: [{ retain: 3 }, { delete: 4 }], moved: 3 },
    {
      name: 'through several at once',
      index: 5,
      delta: [{ insert: 'a' }, { retain: 2 }, { delete: 1 }, { insert: 'bcd' }],
      moved: 8,
    },
  ])('moves a place $name', ({ index, delta, moved }) => {
    expect(moveThrough(index, delta)).toBe(moved)
  })
})
