import { describe, expect, it } from 'vitest'
import { z } from 'zod'

import { parseSearch, stringifySearch } from '../../../web/src/url/searchParams.ts'
import { mergeSearch } from '../../../web/src/url/useSearchState.ts'

describe('search parameters', () => {
  it.each([
    { query: '' },
    { query: '?checkId=a1' },
    { query: '?labels=a%2Cb&labels=c' },
    { query: '?q=caf%C3%A9+%26+more&tab=open' },
  ])('keep $query through reading and writing', ({ query }) => {
    expect(stringifySearch(parseSearch(query))).toBe(query)
  })

  it('are flat: one value is a string, several are a list, no JSON', () => {
    expect(parseSearch('?a=1&b=x&b=y&b=z&c={"d":1}')).toEqual({ a: '1', b: ['x', 'y', 'z'], c: '{"d":1}' })
  })

  it('come in one order and without empty values, so that equal states give equal links', () => {
    expect(stringifySearch({ b: 2, a: true, empty: '', none: undefined, nil: null, list: [] })).toBe('?a=true&b=2')
  })

  it('survive nonsense', () => {
    expect(parseSearch('?&&=x&%zz=1&a')).toEqual({ '': 'x', '%zz': '1', a: '' })
  })

  it('keep a key named __proto__ as data', () => {
    const search = parseSearch('?__proto__=x&__proto__=y')
    expect(Object.getPrototypeOf(search)).toBe(Object.prototype)
    expect(Object.keys(search)).toEqual(['__proto__'])
  })
})

describe('mergeSearch', () => {
  const schema = z.object({
    query: z.string().default('').catch(''),
    pageSize: z.coerce.number().default(50).catch(50),
    types: z.array(z.string()).default([]).catch([]),
  })

  it('changes the keys of the patch and leaves those of other owners', () => {
    expect(mergeSearch({ other: 'stays', query: 'old' }, { query: 'new' }, schema)).toEqual({
      other: 'stays',
      query: 'new',
    })
  })

  it('drops values that equal the default', () => {
    const merged = mergeSearch(
      { query: 'old', pageSize: '100', types: 'a' },
      { query: '', pageSize: 50, types: [] },
      schema,
    )
    expect(stringifySearch(merged)).toBe('')
  })

  it('drops a value that is set to undefined, and writes lists as lists', () => {
    expect(
      stringifySearch(mergeSearch({ query: 'x' }, { query: undefined, types: ['a', 'b'] }, schema.partial())),
    ).toBe('?types=a&types=b')
  })
})
