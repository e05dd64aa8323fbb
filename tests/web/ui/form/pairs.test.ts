import { describe, expect, it } from 'vitest'

import { pairsRule, toPairs } from '../../../../web/src/ui/form/pairs.ts'

const pair = (key: string, value = '') => ({ key, value })

describe('pairs of keys and values', () => {
  it('need a key for each value, and each key once; empty rows are no matter', () => {
    const rows = [pair('', 'x'), pair('a'), pair(' a '), pair(''), pair('b')]
    expect(pairsRule.safeParse(rows).error?.issues.map(({ path, message }) => [path, message])).toEqual([
      [[0, 'key'], 'This field is required'],
      [[2, 'key'], 'This key is already used'],
    ])
  })

  it('become a record and rows again', () => {
    expect(pairsRule.parse([...toPairs({ a: '1', b: '' }), pair(' c ', '3'), pair('')])).toEqual({
      a: '1',
      b: '',
      c: '3',
    })
    expect(toPairs({ a: 1 })).toEqual([pair('a', '1')])
    expect(toPairs(null)).toEqual([])
  })
})
