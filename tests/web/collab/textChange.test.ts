import { describe, expect, it } from 'vitest'

import { createRandom } from '#support/random.ts'

import { clip, moveThrough, type TextDelta, toTextChange } from '../../../web/src/collab/textChange.ts'

const apply = (text: string, { index, remove, insert }: { index: number; remove: number; insert: string }): string =>
  text.slice(0, index) + insert + text.slice(index + remove)

describe('toTextChange', () => {
  it.each([
    { name: 'typing at the end', before: 'que', after: 'queu', caret: 4, change: { index: 3, remove: 0, insert: 'u' } },
    {
      name: 'one of equal letters',
      before: 'aaa',
      after: 'aaaa',
      caret: 2,
      change: { index: 1, remove: 0, insert: 'a' },
    },
    { name: 'Backspace', before: 'aaa', after: 'aa', caret: 1, change: { index: 1, remove: 1, insert: '' } },
    { name: 'Delete', before: 'abc', after: 'ac', caret: 1, change: { index: 1, remove: 1, insert: '' } },
    {
      name: 'a selection replaced',
      before: 'a big dog',
      after: 'a cat dog',
      caret: 5,
      change: { index: 2, remove: 3, insert: 'cat' },
    },
    {
      name: 'an earlier word corrected',
      before: 'teh dog',
      after: 'the dog',
      caret: 7,
      change: { index: 1, remove: 2, insert: 'he' },
    },
    { name: 'everything removed', before: 'abc', after: '', caret: 0, change: { index: 0, remove: 3, insert: '' } },
  ])('reads $name', ({ before, after, caret, change }) => {
    expect(toTextChange(before, after, caret)).toEqual(change)
  })

  it('gives null when nothing changed', () => {
    expect(toTextChange('abc', 'abc', 1)).toBeNull()
  })

  it('never cuts a surrogate pair in half', () => {
    // Both start with the same high half, and both end with the same low half.
    const change = toTextChange('\u{1F600}', '\u{1F601}', 2)
    expect(change).toEqual({ index: 0, remove: 2, insert: '\u{1F601}' })
    expect(toTextChange('\u{1F600}', '\u{1FA00}', 2)).toEqual({ index: 0, remove: 2, insert: '\u{1FA00}' })
  })

  it('always leads from the one text to the other', () => {
    const random = createRandom(3)
    const word = (): string =>
      Array.from({ length: Math.floor(random() * 8) }, () => 'ab'[Math.floor(random() * 2)]).join('')
    for (let run = 0; run < 2_000; run++) {
      const [before, after] = [word(), word()]
      const change = toTextChange(before, after, Math.floor(random() * (after.length + 1)))
      expect(change === null ? before : apply(before, change)).toBe(after)
    }
  })
})

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

describe('clip', () => {
  it('keeps whole characters', () => {
    expect(clip('abc', 2)).toBe('ab')
    expect(clip('a\u{1F600}', 2)).toBe('a')
    expect(clip('abc', -1)).toBe('')
  })
})
