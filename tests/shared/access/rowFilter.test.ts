import { describe, expect, it } from 'vitest'

import { missingRowFilter, namesRows } from '../../../shared/src/access/rowFilter.ts'

/** Each of these changed every row of a table, asked of PostgREST 12. */
const CHANGES_EVERYTHING = [
  '',
  '?',
  '?&',
  '?&&select=*',
  '?select=id',
  '?%73elect=*',
  '?order=id',
  '?limit=1&order=id',
  '?columns=title',
  '?offset=0&order=id',
  '?on_conflict=id',
  '?id',
  '?order;select=*',
  '?columns;select=title',
  '?select=*,comments(*)&comments.id=not.is.null',
  '?select=*,comments(*)&comments.or=(id.not.is.null)',
  '?select=*,comments!inner(*)&comments.id=is.null',
  '?select=*,hypotheses(*,comments(*))&hypotheses.comments=not.is.null',
]

describe('namesRows', () => {
  it.each(CHANGES_EVERYTHING)('finds no row named by %j', (query) => {
    expect(namesRows(query)).toBe(false)
  })

  it.each([
    // A newer PostgREST takes the name of what is embedded for a filter of the answer.
    '?select=*,comments(*)&comments=not.is.null',
    '?select=*,c:comments!comments_incident_id_fkey(*)&c=is.null',
    '?select=*,...commander(name)&commander=not.is.null',
    '?or=()',
    '?and=( , )',
    '?not.and=',
    '?=eq.1',
    '?%20=is.null',
    '?id=',
    '?name.filter=',
    '?name.filter=!',
    '?select.filter=a',
    '?comments.comment.filter=a',
  ])('does not take %j for a filter', (query) => {
    expect(namesRows(query)).toBe(false)
  })

  it.each([
    'id=eq.1',
    '?id=eq.1',
    '?%69d=eq.1',
    '?id=in.("a","b")',
    '?&select=*&person_id=eq.1',
    '?hypothesis_id=eq.1&select=*,hypothesis_id(*)',
    '?labels->>app=eq.web',
    '?or=(id.eq.1,title.eq.x)',
    '?not.and=(id.eq.1,title.eq.x)',
    '?name.filter=a*,!b',
    '?title=eq.a;b',
    '?deleted_at.filter=now-1d',
    // Every row by design: how many one call may touch is bounded by the tables.
    '?id=not.is.null',
  ])('takes %j for a filter', (query) => {
    expect(namesRows(query)).toBe(true)
  })
})

describe('missingRowFilter', () => {
  it.each(['PATCH', 'DELETE'])('tells what a %s of a whole table lacks', (method) => {
    expect(missingRowFilter(method, '/db/incidents', 'select=*')).toBe(
      `${method} of incidents requires a filter that names the rows, for example ?id=eq.{id}: nothing was changed.`,
    )
    expect(missingRowFilter(method, '/db/incidents', 'id=eq.1')).toBeNull()
  })

  it('asks nothing of other calls', () => {
    expect(missingRowFilter('GET', '/db/incidents', '')).toBeNull()
    expect(missingRowFilter('POST', '/db/incidents', '')).toBeNull()
    expect(missingRowFilter('DELETE', '/people/1', '')).toBeNull()
  })
})
