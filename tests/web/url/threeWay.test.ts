import { describe, expect, it } from 'vitest'

import { parseThreeWay, stringifyThreeWay, toThreeWayText } from '../../../web/src/url/threeWay.ts'

describe('the three-way filter', () => {
  it('joins key and state by colons and entries by commas', () => {
    const filter = new Map<string, 1 | -1>([
      ['SUCCESS', -1],
      ['FAILED', 1],
    ])
    expect(stringifyThreeWay(filter)).toBe('SUCCESS:-1,FAILED:1')
    expect(parseThreeWay('SUCCESS:-1,FAILED:1')).toEqual(filter)
  })

  it('reads back keys that hold colons and commas', () => {
    const filter = new Map([['AWS::EC2,x', 1 as const]])
    expect(parseThreeWay(stringifyThreeWay(filter))).toEqual(filter)
  })

  it('reads the shown form too: excluded with a leading exclamation mark', () => {
    expect(parseThreeWay('a,!b')).toEqual(
      new Map([
        ['a', 1],
        ['b', -1],
      ]),
    )
    expect([toThreeWayText('a', 1), toThreeWayText('b', -1)]).toEqual(['a', '!b'])
  })

  it.each(['', ',', ':1', 'a:0', 'a:2', 'a:', '!', 'a:1:2'])('has no entry for %j', (text) => {
    expect(parseThreeWay(text).size).toBe(0)
  })
})
