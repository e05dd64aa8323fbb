import { parseRequirements } from '@watchroom/shared/resources'
import { describe, expect, it } from 'vitest'

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

  it.each(['a b', 'a in b', 'a in (b', '=b', 'a=b,,c', '!!a', 'a=b=c', ')'])('refuses %j', (text) => {
    expect(parseRequirements(text)).toMatchObject({ ok: false })
  })

  it('bounds how much it reads', () => {
    expect(parseRequirements(Array.from({ length: 21 }, (_, at) => `k${at}`).join(','))).toEqual({
      ok: false,
      error: 'a selector has at most 20 conditions',
    })
  })
})
