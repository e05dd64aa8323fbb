import { findByJsonPath, tryParseJsonPath } from '@watchroom/shared/specs'
import { describe, expect, it } from 'vitest'

const DOCUMENT = {
  name: 'shop',
  'odd key.': 1,
  list: [{ port: 80 }, { port: 443, name: 'tls' }],
  labels: { 'app/kind': 'web', env: 'live' },
}

function find(path: string): unknown[] {
  const parsed = tryParseJsonPath(path)
  if (!parsed) throw new Error(`${path} is none`)
  return findByJsonPath(DOCUMENT, parsed)
}

describe('a JSONPath', () => {
  it.each([
    ['$', [DOCUMENT]],
    ['$.name', ['shop']],
    [`$['odd key.']`, [1]],
    ['$.list[0].port', [80]],
    ['$.list[-1]["name"]', ['tls']],
    ['$.list[*].port', [80, 443]],
    ['$.labels.*', ['web', 'live']],
    [`$.labels['app/kind']`, ['web']],
    ['$..port', [80, 443]],
    ['$..name', ['shop', 'tls']],
    ['$.missing.deeper', []],
    ['$.constructor', []],
    ['$.list[7]', []],
    ['$.name[0]', []],
  ])('%s finds %j', (path, expected) => {
    expect(find(path)).toEqual(expected)
  })

  it.each(['name', '', '$.', '$.[', '$..', '$[', '$.a b', '$[?(@.a)]', `$${'.a'.repeat(65)}`])('is not %j', (text) => {
    expect(tryParseJsonPath(text)).toBeNull()
  })

  it('finds a bounded number of values', () => {
    const path = tryParseJsonPath('$[*]')
    expect(
      path &&
        findByJsonPath(
          Array.from({ length: 20_000 }, () => 0),
          path,
        ),
    ).toHaveLength(10_000)
  })
})
