import { isBlank, isStorable, isStorableValue, toStorable, toStorablePart } from '@watchroom/shared/kernel'
import { describe, expect, it } from 'vitest'

describe('isBlank', () => {
  it.each(['', ' ', '\n\t', '\u00a0', '\u200b', '\u2060\ufeff', '\u3164', '\u2800', '\u00ad', '\u{e0020}', '\0'])(
    'is true where nobody sees anything: %j',
    (text) => expect(isBlank(text)).toBe(true),
  )

  it.each(['a', ' a ', '0', '-', '障', '\u{1F600}', '\u200ba'])('is false for what can be read: %j', (text) =>
    expect(isBlank(text)).toBe(false),
  )

  it('knows everything that Unicode counts as blank or as not to be shown', () => {
    const missed: string[] = []
    for (let code = 0; code <= 0x10ffff; code++) {
      if (code >= 0xd800 && code <= 0xdfff) continue
      const character = String.fromCodePoint(code)
      if (/\p{White_Space}|\p{Default_Ignorable_Code_Point}|\p{Cc}/u.test(character) && !isBlank(character))
        missed.push(code.toString(16))
    }
    expect(missed).toEqual([])
  })
})

describe('isStorable', () => {
  it('refuses NUL and halves of surrogate pairs, wherever they stand', () => {
    expect(['a\0b', '\ud800', 'a\udc00b'].map(isStorable)).toEqual([false, false, false])
    expect(['', 'a\u{1F600}', '\t\r\n\u001b[31m'].map(isStorable)).toEqual([true, true, true])
    expect(isStorableValue({ a: ['b', { c: 'd\0' }] })).toBe(false)
    expect(isStorableValue({ 'a\0': 1 })).toBe(false)
    expect(isStorableValue({ a: ['b', { c: 1, d: null, e: true }] })).toBe(true)
  })

  it('refuses what another way of writing it down would lose', () => {
    class Hidden {
      words = 'x'
    }
    const hidden: unknown[] = [
      JSON.parse('{"__proto__": {"a": 1}}'),
      Object.create({ a: 1 }),
      new Hidden(),
      new Uint8Array(2),
      5n,
      Number.NaN,
      Number.POSITIVE_INFINITY,
    ]
    for (const value of hidden) {
      expect(isStorableValue(value)).toBe(false)
      expect(isStorableValue({ deep: [{ value }] })).toBe(false)
    }
    expect(isStorableValue(Object.assign(Object.create(null), { a: 1 }))).toBe(true)
  })

  it('refuses what is nested without end', () => {
    let value: unknown = 1
    for (let depth = 0; depth < 100_000; depth++) value = [value]
    expect(isStorableValue(value)).toBe(false)
  })

  it('is what is left after cleaning', () => {
    expect(toStorable('a\0b\ud800c\u{1F600}')).toBe('ab\ufffdc\u{1F600}')
    const value = { 'k\0': ['a\0', { deep: '\ud800' }], plain: 1 }
    expect(JSON.parse(JSON.stringify(value, toStorablePart))).toEqual({ k: ['a', { deep: '\ufffd' }], plain: 1 })
  })
})
