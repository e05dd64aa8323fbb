import { describe, expect, it } from 'vitest'

import { parseLabelFilter, stringifyLabelFilter } from '../../../../web/src/features/health-board/labelSearch.ts'

const filter = new Map<string, 1 | -1>([
  ['canary:env:prod', -1],
  ['canary:team:a&b %', 1],
])

describe('the label filter of a link', () => {
  it('is percent-encoded JSON of label ids', () => {
    const text = stringifyLabelFilter(filter)
    expect(text).toBe(encodeURIComponent('{"canary:env:prod":-1,"canary:team:a&b %":1}'))
    expect(parseLabelFilter(text)).toEqual(filter)
  })

  it('is also read where it is encoded once only', () => {
    expect(parseLabelFilter('{"canary:env:prod":-1}')).toEqual(new Map([['canary:env:prod', -1]]))
  })

  it('is empty text when nothing is chosen', () => {
    expect(stringifyLabelFilter(new Map())).toBe('')
    expect(parseLabelFilter('')).toEqual(new Map())
  })

  it('gives equal links for equal filters', () => {
    expect(stringifyLabelFilter(new Map([...filter].toReversed()))).toBe(stringifyLabelFilter(filter))
  })

  it('drops single choices that mean nothing', () => {
    expect(parseLabelFilter('{"a":1,"b":2,"c":"1","d":0,"e":null,"f":-1}')).toEqual(
      new Map([
        ['a', 1],
        ['f', -1],
      ]),
    )
  })

  it.each(['nonsense', '[1]', '"a"', 'null', '%E0%A4%A', '{"a":', '%7B', '1'])('reads %s as no filter', (text) => {
    expect(parseLabelFilter(text)).toEqual(new Map())
  })

  it('takes a hostile key for what it is: a key', () => {
    expect([...parseLabelFilter('{"constructor":1}').keys()]).toEqual(['constructor'])
  })
})
