import { MAX_RESULT_TEXT_LENGTH, toBoundedText, toStoredDuration } from '@watchroom/shared/health'
import { describe, expect, it } from 'vitest'

describe('what is kept of a result', () => {
  it('is a text of at most so many characters, with a mark where it was cut, and cut once', () => {
    const longest = 'x'.repeat(MAX_RESULT_TEXT_LENGTH)
    expect(toBoundedText(longest)).toBe(longest)
    const cut = toBoundedText(`${longest}y`)
    expect(cut).toBe(`${longest.slice(1)}…`)
    expect(toBoundedText(cut)).toBe(cut)
  })

  it('ends with no part of a character', () => {
    expect(toBoundedText('x'.repeat(MAX_RESULT_TEXT_LENGTH - 2) + '😀😀')).toMatch(/^x+…$/)
  })

  it.each([
    [0, 1],
    [0.2, 1],
    [12.6, 13],
  ])('is a duration in whole milliseconds: %d is %d', (measuredMs, keptMs) => {
    expect(toStoredDuration(measuredMs)).toBe(keptMs)
  })
})
