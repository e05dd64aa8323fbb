import {
  maskCredentials,
  toPublicUrl,
  tryParseContentPattern,
  tryParseHostPort,
} from '@watchroom/shared/health/check-types'
import { formatByteSize, tryParseByteSize } from '@watchroom/shared/kernel'
import { describe, expect, it } from 'vitest'

describe('tryParseByteSize', () => {
  it.each([
    ['500', 500],
    ['10MB', 10_000_000],
    ['10 mb', 10_000_000],
    ['1Gi', 2 ** 30],
    ['1.5 KiB', 1_536],
    ['0', 0],
  ])('reads %s as %d bytes', (text, bytes) => {
    expect(tryParseByteSize(text)).toBe(bytes)
  })

  it.each(['', 'MB', '-1', '1 apple', '1e3', '1..5k'])('refuses %j', (text) => {
    expect(tryParseByteSize(text)).toBeNull()
  })
})

describe('formatByteSize', () => {
  it.each([
    [0, '0 B'],
    [1023, '1023 B'],
    [1_536, '1.5 KiB'],
    [5 * 2 ** 40, '5 TiB'],
    [2_000 * 2 ** 40, '2000 TiB'],
  ])('writes %d as %s', (bytes, text) => {
    expect(formatByteSize(bytes)).toBe(text)
  })
})

describe('tryParseHostPort', () => {
  it.each([
    ['localhost:80', { host: 'localhost', port: 80 }],
    ['10.0.0.1:65535', { host: '10.0.0.1', port: 65_535 }],
    ['[fe80::1]:22', { host: 'fe80::1', port: 22 }],
  ])('reads %s', (text, expected) => {
    expect(tryParseHostPort(text)).toEqual(expected)
  })

  it.each(['localhost', ':80', 'localhost:', 'localhost:99999', 'http://a:80', '-a:80', 'a:80/x'])(
    'refuses %j',
    (text) => {
      expect(tryParseHostPort(text)).toBeNull()
    },
  )
})

describe('maskCredentials', () => {
  it.each([
    ['connect to postgres://root:hunter2@db/x failed', 'connect to postgres://***@db/x failed'],
    ['https://user@host/a', 'https://***@host/a'],
    ['redis://:p@ss@cache:6379', 'redis://***@cache:6379'],
    ['https://h/x?token=abc&a=1&api_key=z#f', 'https://h/x?token=***&a=1&api_key=***#f'],
    ['https://h/x?mail=a@b.example', 'https://h/x?mail=a@b.example'],
    ['nothing to hide: a@b.example', 'nothing to hide: a@b.example'],
  ])('turns %s into %s', (text, expected) => {
    expect(maskCredentials(text)).toBe(expected)
  })
})

describe('toPublicUrl', () => {
  it('drops the user and hides secret parameters', () => {
    expect(toPublicUrl('https://u:p@h.example:8443/x?access_token=abc')).toBe(
      'https://h.example:8443/x?access_token=***',
    )
  })
})

describe('tryParseContentPattern', () => {
  it.each(['plain', '/not closed', 'a/b/c'])('takes %s as a substring', (text) => {
    expect(tryParseContentPattern(text)).toEqual({ substring: text })
  })

  it('takes /text/flags as an expression', () => {
    const pattern = tryParseContentPattern('/^a.b$/is')
    expect(pattern).toEqual({ regex: /^a.b$/is })
  })

  it('refuses an expression that does not compile', () => {
    expect(tryParseContentPattern('/(/')).toBeNull()
  })
})
