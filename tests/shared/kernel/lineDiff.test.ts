import { diffLines, toUnifiedDiff } from '@watchroom/shared/kernel'
import { describe, expect, it } from 'vitest'

const show = (before: string, after: string): string[] =>
  diffLines(before, after).map(({ kind, text }) => `${{ same: ' ', removed: '-', added: '+' }[kind]}${text}`)

const lines = (count: number, word = 'line'): string[] =>
  Array.from({ length: count }, (_, index) => `${word} ${index}`)

describe('diffLines', () => {
  it('shows what both have, and what only one has', () => {
    expect(show('a\nb\nc', 'a\nx\nc\nd')).toEqual([' a', '-b', '+x', ' c', '+d'])
  })

  it('shows equal texts as they are', () => {
    expect(show('a\nb', 'a\nb')).toEqual([' a', ' b'])
  })

  it('loses no line of either side', () => {
    const before = 'url: a\nname: b\n\nurl: a'
    const after = 'name: b\nurl: a\n\nname: b\nurl: a'
    const found = diffLines(before, after)
    const side = (kind: 'removed' | 'added'): string =>
      found
        .filter((line) => line.kind === 'same' || line.kind === kind)
        .map(({ text }) => text)
        .join('\n')
    expect([side('removed'), side('added')]).toEqual([before, after])
  })

  it('compares what differs of long texts, and puts it one after the other where that is long itself', () => {
    const long = lines(5_000).join('\n')
    expect(show(long, `${long}\nmore`).filter((line) => !line.startsWith(' '))).toEqual(['+more'])
    expect(diffLines(long, lines(5_000, 'other').join('\n'))).toHaveLength(10_000)
  })
})

describe('toUnifiedDiff', () => {
  it('is empty for equal texts', () => {
    expect(toUnifiedDiff('a\nb', 'a\nb')).toBe('')
  })

  it('shows each change with three lines around it, and changes that are near in one piece', () => {
    const before = lines(30)
    const after = before.map((line, index) => (index === 4 || index === 9 || index === 25 ? `${line}!` : line))
    expect(toUnifiedDiff(before.join('\n'), after.join('\n'))).toBe(
      [
        '@@ -2,12 +2,12 @@',
        ' line 1\n line 2\n line 3\n-line 4\n+line 4!\n line 5\n line 6\n line 7\n line 8\n-line 9\n+line 9!\n line 10\n line 11\n line 12',
        '@@ -23,7 +23,7 @@',
        ' line 22\n line 23\n line 24\n-line 25\n+line 25!\n line 26\n line 27\n line 28\n',
      ].join('\n'),
    )
  })

  it('numbers a side without lines by the line before', () => {
    expect(toUnifiedDiff('a', 'a\nb')).toBe('@@ -1 +1,2 @@\n a\n+b\n')
    expect(toUnifiedDiff(lines(9).join('\n'), lines(8).join('\n'))).toBe(
      '@@ -6,4 +6,3 @@\n line 5\n line 6\n line 7\n-line 8\n',
    )
  })
})
