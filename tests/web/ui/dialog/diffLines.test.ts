import { describe, expect, it } from 'vitest'

import { diffLines } from '../../../../web/src/ui/dialog/diffLines.ts'

const show = (theirs: string, mine: string): string[] =>
  diffLines(theirs, mine).map(({ kind, text }) => `${{ same: ' ', theirs: '-', mine: '+' }[kind]}${text}`)

describe('diffLines', () => {
  it('shows what both have, and what only one has', () => {
    expect(show('a\nb\nc', 'a\nx\nc\nd')).toEqual([' a', '-b', '+x', ' c', '+d'])
  })

  it('shows equal texts as they are', () => {
    expect(show('a\nb', 'a\nb')).toEqual([' a', ' b'])
  })

  it('loses no line of either side', () => {
    const theirs = 'url: a\nname: b\n\nurl: a'
    const mine = 'name: b\nurl: a\n\nname: b\nurl: a'
    const lines = diffLines(theirs, mine)
    const side = (kind: 'theirs' | 'mine'): string =>
      lines
        .filter((line) => line.kind === 'same' || line.kind === kind)
        .map(({ text }) => text)
        .join('\n')
    expect([side('theirs'), side('mine')]).toEqual([theirs, mine])
  })

  it('puts texts of thousands of lines one after the other', () => {
    const long = Array.from({ length: 5_000 }, (_, line) => `line ${line}`).join('\n')
    expect(diffLines(long, `${long}\nmore`)).toHaveLength(10_001)
  })
})
