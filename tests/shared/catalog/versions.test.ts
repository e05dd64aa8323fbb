import { rebuildVersions, toConfigText, versionAt } from '@watchroom/shared/catalog'
import { toUnifiedDiff } from '@watchroom/shared/kernel'
import { describe, expect, it } from 'vitest'

import { createRandom } from '#support/random.ts'

const changedAt = ({ id }: { id: string }): number => Number(id)

describe('versions of an item', () => {
  it('are rebuilt backwards, each with the change that led to it', () => {
    const { versions, brokenAt } = rebuildVersions({ content: 'c\n' }, [
      { id: '2', diff: '@@ -1 +1 @@\n-b\n+c\n' },
      { id: '1', diff: '@@ -1 +1 @@\n-a\n+b\n' },
    ])
    expect(versions.map(({ change, text }) => [change?.id ?? null, text])).toEqual([
      ['2', 'c\n'],
      ['1', 'b\n'],
      [null, 'a\n'],
    ])
    expect(brokenAt).toBeNull()
  })

  it.each([
    ['with its keys in order', '@@ -2 +2 @@\n-  "a": 0,\n+  "a": 1,\n'],
    ['as it is stored', '@@ -3 +3 @@\n-  "a": 0\n+  "a": 1\n'],
  ])('are found whether the document was compared %s', (_way, diff) => {
    const { versions } = rebuildVersions({ b: 2, a: 1 }, [{ id: '1', diff }])
    expect(versions.at(-1)?.text).toContain('"a": 0')
  })

  it('are found in what our own scrapers compare', () => {
    const documents = ['1.0', '1.1', '1.2'].map((image) => ({
      limits: { cpu: '750m', memory: '1024Mi' },
      image: `shop/invoices:${image}`,
      uses: ['database/orders', 'cache/sessions'],
    }))
    const [first = '', second = '', third = ''] = documents.map(toConfigText)
    const { versions, brokenAt } = rebuildVersions(documents.at(-1), [
      { id: '2', diff: toUnifiedDiff(second, third) },
      { id: '1', diff: toUnifiedDiff(first, second) },
    ])
    expect(brokenAt).toBeNull()
    expect(versions.map(({ text }) => text.trimEnd())).toEqual([third, second, first])
  })

  it('end at the change that does not fit, and say so', () => {
    const { versions, brokenAt } = rebuildVersions('c', [
      { id: '3', diff: '@@ -1 +1 @@\n-b\n+c\n' },
      { id: '2', diff: '@@ -1 +1 @@\n-a\n+other\n' },
      { id: '1', diff: '@@ -1 +1 @@\n-x\n+a\n' },
    ])
    expect(versions.map(({ text }) => text)).toEqual(['c', 'b\n'])
    expect(brokenAt?.id).toBe('2')
  })

  it('end where they would be too much together', () => {
    const history = [
      { id: '2', diff: '@@ -1 +1 @@\n-b\n+c\n' },
      { id: '1', diff: '@@ -1 +1 @@\n-a\n+b\n' },
    ]
    const { versions, isCut } = rebuildVersions('c\n', history, 3)
    expect([versions.map(({ text }) => text), isCut]).toEqual([['c\n', 'b\n'], true])
  })

  it('of an item that never changed are one', () => {
    expect(rebuildVersions({ a: 1 }, []).versions).toEqual([{ change: null, text: 'a: 1' }])
  })

  it('are looked up by moment', () => {
    const { versions } = rebuildVersions('c', [
      { id: '20', diff: '@@ -1 +1 @@\n-b\n+c\n' },
      { id: '10', diff: '@@ -1 +1 @@\n-a\n+b\n' },
    ])
    const textAt = (moment: number): string | undefined => versionAt(versions, moment, changedAt)?.text
    expect([5, 10, 19, 20, 99].map(textAt)).toEqual(['a\n', 'b\n', 'b\n', 'c', 'c'])
  })

  it.each(Array.from({ length: 25 }, (_, seed) => seed))('of any history are what they were (seed %i)', (seed) => {
    const random = createRandom(seed)
    const pick = (count: number): number => Math.floor(random() * count)
    const history = [Array.from({ length: 1 + pick(8) }, () => `line ${pick(5)}`)]
    const changes: { id: string; diff: string }[] = []
    for (let step = 0; step < 12; step += 1) {
      const before = history.at(-1) ?? []
      const at = pick(before.length + 1)
      const [removed, added] = [pick(Math.min(3, before.length - at + 1)), pick(3)]
      const brought = Array.from({ length: added }, () => `line ${pick(5)}`)
      if (removed + added === 0) continue
      const start = (count: number): string => `${count === 0 ? at : at + 1},${count}`
      changes.unshift({
        id: String(step),
        diff: [
          `@@ -${start(removed)} +${start(added)} @@`,
          ...before.slice(at, at + removed).map((line) => `-${line}`),
          ...brought.map((line) => `+${line}`),
        ].join('\n'),
      })
      history.push(before.toSpliced(at, removed, ...brought))
    }
    const texts = history.toReversed().map((lines) => lines.join('\n'))
    const { versions, brokenAt } = rebuildVersions(texts[0], changes)
    expect(brokenAt).toBeNull()
    expect(versions.map(({ text }) => text.replace(/\n$/, ''))).toEqual(texts)
  })
})
