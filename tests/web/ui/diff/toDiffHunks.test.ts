import { describe, expect, it } from 'vitest'

import { toDiffHunks } from '../../../../web/src/ui/diff/toDiffHunks.ts'

const SIGNS = { same: ' ', removed: '-', added: '+' } as const
const show = (before: string, after: string): string[][] =>
  toDiffHunks(before, after).map(({ lines }) =>
    lines.map(({ kind, text, before: was, after: is }) => `${SIGNS[kind]}${text} ${was ?? ''}:${is ?? ''}`),
  )
const text = (from: number, to: number): string =>
  Array.from({ length: to - from + 1 }, (_, at) => `${from + at}`).join('\n')

describe('toDiffHunks', () => {
  it('shows what differs with three equal lines around, numbered on both sides', () => {
    expect(show(text(1, 9), `${text(1, 4)}\nnew\n${text(6, 9)}`)).toEqual([
      ['2 2:2', '3 3:3', '4 4:4'].map((line) => ` ${line}`).concat('-5 5:', '+new :5', ' 6 6:6', ' 7 7:7', ' 8 8:8'),
    ])
  })

  it('parts what is far from each other, and nothing else', () => {
    const before = text(1, 30)
    expect(show(before, `0\n${before}\n31`)).toHaveLength(2)
    expect(show(text(1, 5), `0\n${text(1, 5)}\n6`)).toHaveLength(1)
  })

  it('is empty for equal texts, with and without a line end', () => {
    expect(show('a\n', 'a')).toEqual([])
  })

  it('knows a text without a line', () => {
    expect(show('', 'a')).toEqual([['+a :1']])
    expect(show('a', '')).toEqual([['-a 1:']])
  })

  it('compares a long text that changed in one place', () => {
    const before = text(1, 20_000)
    expect(show(before, before.replace('\n9999\n', '\nother\n'))).toHaveLength(1)
  })
})
