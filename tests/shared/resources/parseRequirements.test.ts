import { formatRequirements, parseRequirements, type Requirement } from '@watchroom/shared/resources'
import { describe, expect, it } from 'vitest'

import { createRandom } from '#support/random.ts'

describe('parseRequirements', () => {
  it('reads every form that Kubernetes writes, with and without spaces', () => {
    expect(parseRequirements('a=b, c == d,e!=f, g in (h, i),j notin (k),l,!m')).toEqual({
      ok: true,
      value: [
        { key: 'a', operator: 'in', values: ['b'] },
        { key: 'c', operator: 'in', values: ['d'] },
        { key: 'e', operator: 'not-in', values: ['f'] },
        { key: 'g', operator: 'in', values: ['h', 'i'] },
        { key: 'j', operator: 'not-in', values: ['k'] },
        { key: 'l', operator: 'exists', values: [] },
        { key: 'm', operator: 'absent', values: [] },
      ],
    })
  })

  it('reads keys and values with dots, slashes and dashes, and an empty value', () => {
    expect(parseRequirements('app.kubernetes.io/name=print-api,tier=')).toEqual({
      ok: true,
      value: [
        { key: 'app.kubernetes.io/name', operator: 'in', values: ['print-api'] },
        { key: 'tier', operator: 'in', values: [''] },
      ],
    })
    expect(parseRequirements(' ')).toEqual({ ok: true, value: [] })
  })

  it('reads words in quotes, whatever they hold', () => {
    expect(parseRequirements(String.raw`team="Front End",x in ("a,b", c ,"(\"d\") \\"),"my key"!="",! "=" `)).toEqual({
      ok: true,
      value: [
        { key: 'team', operator: 'in', values: ['Front End'] },
        { key: 'x', operator: 'in', values: ['a,b', 'c', String.raw`("d") \\`.slice(0, -1)] },
        { key: 'my key', operator: 'not-in', values: [''] },
        { key: '=', operator: 'absent', values: [] },
      ],
    })
  })

  it('reads back what was written, of any text', () => {
    const random = createRandom(15)
    const pick = (text: string): string => text[Math.floor(random() * text.length)] ?? ''
    const word = (atLeast: number): string =>
      Array.from({ length: atLeast + Math.floor(random() * 4) }, () => pick('ab/.-:é !=,()"\\\n\t')).join('')
    for (let round = 0; round < 2_000; round += 1) {
      const requirements = Array.from({ length: 1 + Math.floor(random() * 3) }, (): Requirement => {
        const operator = (['in', 'not-in', 'exists', 'absent'] as const)[Math.floor(random() * 4)] ?? 'in'
        const isSet = operator === 'in' || operator === 'not-in'
        const values = isSet ? Array.from({ length: 1 + Math.floor(random() * 3) }, () => word(0)) : []
        return { key: word(1), operator, values }
      })
      const text = formatRequirements(requirements)
      expect(parseRequirements(text), text).toEqual({ ok: true, value: requirements })
    }
  })

  it.each([
    'a="b',
    'a in ("b)',
    'a in ("b"c)',
    '"a"b',
    'a b',
    'a in b',
    'a in (b',
    '=b',
    'a=b,,c',
    '!!a',
    'a=b=c',
    ')',
  ])('refuses %j', (text) => {
    expect(parseRequirements(text)).toMatchObject({ ok: false })
  })

  it('bounds how much it reads', () => {
    expect(parseRequirements(Array.from({ length: 21 }, (_, at) => `k${at}`).join(','))).toEqual({
      ok: false,
      error: 'a selector has at most 20 conditions',
    })
  })
})
