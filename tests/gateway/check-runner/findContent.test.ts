import { describe, expect, it } from 'vitest'

import { findContent } from '../../../gateway/src/check-runner/findContent.ts'

describe('findContent', () => {
  it.each([
    ['all is well', 'is well', 'found'],
    ['all is well', 'IS WELL', 'missing'],
    ['all is well', '/IS\\s+WELL$/i', 'found'],
    ['all is well', '/^well/', 'missing'],
    ['a/b', 'a/b', 'found'],
    ['', 'x', 'missing'],
    ['x', '/(/', 'malformed'],
  ])('looks in %j for %j: %s', (text, pattern, expected) => {
    expect(findContent(text, pattern)).toBe(expected)
  })

  it('gives up on an expression that backtracks without end', () => {
    const startedAt = performance.now()
    expect(findContent(`${'a'.repeat(40)}!`, '/^(a+)+$/')).toBe('too slow')
    expect(performance.now() - startedAt).toBeLessThan(2_000)
  })
})
