import { clip, isCharacterBoundary, toTextChange, transferTextChange } from '@watchroom/shared/kernel'
import { describe, expect, it } from 'vitest'

import { createRandom } from '#support/random.ts'
import { randomText } from '#support/randomText.ts'

const apply = (text: string, { index, remove, insert }: { index: number; remove: number; insert: string }): string =>
  text.slice(0, index) + insert + text.slice(index + remove)

const FAMILY = '\u{1F468}\u200D\u{1F469}\u200D\u{1F467}'
const COUPLE = '\u{1F468}\u200D\u{1F469}'
const GERMANY = '\u{1F1E9}\u{1F1EA}'
const DENMARK = '\u{1F1E9}\u{1F1F0}'

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

  it.each([
    { name: 'two emoji that begin alike', before: 'a\u{1F600}', after: 'a\u{1F601}', index: 1, remove: 2 },
    { name: 'two emoji that end alike', before: '\u{1F600}b', after: '\u{1FA00}b', index: 0, remove: 2 },
    { name: 'an accent that is added', before: 'caf\u0065', after: 'caf\u0065\u0301', index: 3, remove: 1 },
    { name: 'another accent', before: 'e\u0301t', after: 'e\u0300t', index: 0, remove: 2 },
    { name: 'a family that loses its child', before: `x${FAMILY}y`, after: `x${COUPLE}y`, index: 1, remove: 8 },
    { name: 'another skin', before: '\u{1F44D}\u{1F3FB}', after: '\u{1F44D}\u{1F3FF}', index: 0, remove: 4 },
    { name: 'two flags that begin alike', before: `${GERMANY}!`, after: `${DENMARK}!`, index: 0, remove: 4 },
    { name: 'a flag in front of flags', before: GERMANY, after: `${DENMARK}${GERMANY}`, index: 0, remove: 0 },
    { name: 'a line feed behind a carriage return', before: 'a\rb', after: 'a\r\nb', index: 1, remove: 1 },
  ])('[DOC-21] replaces whole characters: $name', ({ before, after, index, remove }) => {
    const change = toTextChange(before, after)
    expect(change).toMatchObject({ index, remove })
    expect(change && apply(before, change)).toBe(after)
  })

  it('[DOC-21] always leads from the one text to the other, and begins and ends between characters of both', () => {
    const random = createRandom(3)
    for (let run = 0; run < 5_000; run++) {
      const [before, after] = [randomText(random), randomText(random)]
      const change = toTextChange(before, after, Math.floor(random() * (after.length + 1)))
      const story = JSON.stringify({ run, before, after, change })
      expect(change === null ? before : apply(before, change), story).toBe(after)
      if (!change) continue
      const { index, remove, insert } = change
      for (const [text, place] of [
        [before, index],
        [before, index + remove],
        [after, index],
        [after, index + insert.length],
      ] as const) {
        expect(isCharacterBoundary(text, place), story).toBe(true)
      }
    }
  })
})

describe('transferTextChange', () => {
  it('[DOC-21] finds the place behind the same beginning, or before the same end', () => {
    expect(transferTextChange('a b', 'a c b', 'a b d')).toEqual({ index: 2, remove: 0, insert: 'c ' })
    expect(transferTextChange('a b', 'a c b', 'x a b')).toEqual({ index: 4, remove: 0, insert: 'c ' })
    expect(transferTextChange('a b', 'a c', 'nothing alike')).toBeNull()
  })

  it('[DOC-21] gives up where the change would cut a character of the other text', () => {
    expect(transferTextChange('e!', 'ex!', 'e\u0301?')).toBeNull()
    expect(transferTextChange('a!', 'ab!', 'a\u0301!')).toEqual({ index: 2, remove: 0, insert: 'b' })
  })

  it('[DOC-21] leaves no half of a character behind, whatever both sides did', () => {
    const random = createRandom(5)
    for (let run = 0; run < 5_000; run++) {
      const before = randomText(random)
      const [after, mine] = [0, 1].map(() => `${random() < 0.3 ? randomText(random) : before}${randomText(random)}`)
      const change = transferTextChange(before, after ?? '', mine ?? '')
      const merged = change ? apply(mine ?? '', change) : mine
      expect(merged?.match(/\p{Surrogate}/u), JSON.stringify({ run, before, after, mine, merged })).toBeNull()
    }
  })
})

describe('clip', () => {
  it('keeps whole characters', () => {
    expect(clip('abc', 2)).toBe('ab')
    expect(clip('a\u{1F600}', 2)).toBe('a')
    expect(clip(`a${FAMILY}`, 5)).toBe('a')
    expect(clip('abc', -1)).toBe('')
  })
})
