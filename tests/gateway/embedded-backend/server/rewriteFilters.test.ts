import { describe, expect, it } from 'vitest'

import { tryParseDateMath } from '../../../../gateway/src/embedded-backend/server/dateMath.ts'
import { rewriteFilters } from '../../../../gateway/src/embedded-backend/server/rewriteFilters.ts'

/** A Wednesday. */
const NOW = Date.parse('2026-03-18T10:20:30.400Z')

/** Decoded pairs, in order. */
function rewritten(query: string): [string, string][] {
  const result = rewriteFilters(query, NOW)
  if (!result.ok) throw new Error(`refused ${result.error}`)
  return [...new URLSearchParams(result.value)]
}

describe('rewriteFilters', () => {
  it('leaves a query without filters exactly as it is, odd as it may be', () => {
    const query = '&select=id,%20name&&order=name.asc&labels->>app=eq.a)'
    expect(rewriteFilters(query, NOW)).toEqual({ ok: true, value: query })
  })

  it.each([
    ['type.filter=a,b', [['type', 'in.("a","b")']]],
    ['type.filter=!a,!b', [['type', 'not.in.("a","b")']]],
    ['name.filter=pre*', [['name', 'like.pre*']]],
    ['name.filter=*suf', [['name', 'like.*suf']]],
    ['name.filter=!pre*', [['name', 'not.in.("pre*")']]],
    [
      'type.filter=a,!b,c*,d',
      [
        ['type', 'in.("a","d")'],
        ['type', 'not.in.("b")'],
        ['type', 'like.c*'],
      ],
    ],
    ['name.filter=say "hi" \\ bye', [['name', 'in.("say \\"hi\\" \\\\ bye")']]],
    ['name.filter=', []],
    ['created_at.filter=>now-2d', [['created_at', 'gt.2026-03-16T10:20:30.400Z']]],
    ['created_at.filter=<now', [['created_at', 'lt.2026-03-18T10:20:30.400Z']]],
    ['created_at.filter=now/d', [['created_at', 'lt.2026-03-18T00:00:00.000Z']]],
    ['time.filter==2026-01-02T03:04:05Z', [['time', 'eq.2026-01-02T03:04:05.000Z']]],
  ])('writes %s as PostgREST filters', (query, expected) => {
    const [key = '', ...rest] = query.split('=')
    expect(rewritten(`${key}=${encodeURIComponent(rest.join('='))}`)).toEqual(expected)
  })

  it('uses the first value of a filter, keeps other parameters and sorts the keys', () => {
    expect(rewritten('type.filter=a&select=*&type.filter=b&order=x&order=y')).toEqual([
      ['order', 'x'],
      ['order', 'y'],
      ['select', '*'],
      ['type', 'in.("a")'],
    ])
  })

  it('names the filter that cannot be read', () => {
    expect(rewriteFilters('created_at.filter=yesterday', NOW)).toEqual({
      ok: false,
      error: 'created_at.filter=yesterday',
    })
  })
})

describe('tryParseDateMath', () => {
  it.each([
    ['now', '2026-03-18T10:20:30.400Z'],
    ['now-90m', '2026-03-18T08:50:30.400Z'],
    ['now-1M', '2026-02-18T10:20:30.400Z'],
    ['now+1y/y', '2027-01-01T00:00:00.000Z'],
    ['now/w', '2026-03-16T00:00:00.000Z'],
    ['now/M', '2026-03-01T00:00:00.000Z'],
    ['now-1d/d', '2026-03-17T00:00:00.000Z'],
    ['now/h', '2026-03-18T10:00:00.000Z'],
    ['2026-01-31||+1d/d', '2026-02-01T00:00:00.000Z'],
    ['2026-01-02', '2026-01-02T00:00:00.000Z'],
    ['2026-01-02 03:04:05', '2026-01-02T03:04:05.000Z'],
    ['2026-01-02T03:04:05+02:00', '2026-01-02T01:04:05.000Z'],
  ])('reads %s', (text, expected) => {
    expect(tryParseDateMath(text, NOW)?.toISOString()).toBe(expected)
  })

  it.each(['', 'soon', 'now-', 'now-1x', 'now-1d rest', '2026-13-40', '||+1d'])('refuses %j', (text) => {
    expect(tryParseDateMath(text, NOW)).toBeNull()
  })
})
