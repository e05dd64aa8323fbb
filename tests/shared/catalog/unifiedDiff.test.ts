import { parseUnifiedDiff, revertUnifiedDiff, toDiffPairs } from '@watchroom/shared/catalog'
import { describe, expect, it } from 'vitest'

import { createRandom } from '#support/random.ts'

const DIFF = `--- before
+++ after
@@ -1,4 +1,4 @@
 name: edge
-replicas: 2
+replicas: 3
+paused: true
 image: proxy
-old: yes
`

describe('a unified diff', () => {
  it('is read line by line, each with its numbers on both sides', () => {
    const [hunk] = parseUnifiedDiff(DIFF)
    expect(hunk?.lines.map(({ kind, text, before, after }) => [kind, text, before, after])).toEqual([
      ['same', 'name: edge', 1, 1],
      ['removed', 'replicas: 2', 2, null],
      ['added', 'replicas: 3', null, 2],
      ['added', 'paused: true', null, 3],
      ['same', 'image: proxy', 3, 4],
      ['removed', 'old: yes', 4, null],
    ])
  })

  it('ends where its counts say, so that content may look like a heading', () => {
    const [hunk, more] = parseUnifiedDiff('@@ -1,2 +1 @@\n-\n--- a\n+++ b\n')
    expect(hunk?.lines.map(({ text }) => text)).toEqual(['', '-- a', '++ b'])
    expect(more).toBeUndefined()
  })

  it('stands in two columns with what came beside what went', () => {
    const pairs = parseUnifiedDiff(DIFF).flatMap(toDiffPairs)
    expect(pairs.map(({ left, right }) => [left?.text ?? null, right?.text ?? null])).toEqual([
      ['name: edge', 'name: edge'],
      ['replicas: 2', 'replicas: 3'],
      [null, 'paused: true'],
      ['image: proxy', 'image: proxy'],
      ['old: yes', null],
    ])
  })

  it('gives the text before the change back', () => {
    expect(revertUnifiedDiff('name: edge\nreplicas: 3\npaused: true\nimage: proxy', DIFF)).toBe(
      'name: edge\nreplicas: 2\nimage: proxy\nold: yes\n',
    )
  })

  it.each([
    ['a text it was not made of', 'name: other\nreplicas: 3\n', DIFF],
    ['a text that ends too early', 'name: edge\n', DIFF],
    ['no diff at all', 'name: edge\n', 'a sentence'],
  ])('gives nothing for %s', (_case, after, diff) => {
    expect(revertUnifiedDiff(after, diff)).toBeNull()
  })

  it.each(Array.from({ length: 40 }, (_, seed) => seed))(
    'gives back what was before any edit, with and without lines around it (seed %i)',
    (seed) => {
      const random = createRandom(seed)
      const pick = (count: number): number => Math.floor(random() * count)
      const before = Array.from({ length: pick(12) }, () => `line ${pick(4)}`)
      const after = before.flatMap((line) => {
        const choice = pick(5)
        return choice === 0 ? [] : choice === 1 ? [line, `new ${pick(4)}`] : choice === 2 ? ['other'] : [line]
      })
      if (after.length === 0 || pick(4) === 0) after.push('last')
      const diff = toDiff(before, after, pick(3))
      const text = before.length === 0 ? '' : `${before.join('\n')}\n`
      if (before.join('\n') === after.join('\n')) return
      expect(revertUnifiedDiff(`${after.join('\n')}\n`, diff)).toBe(text)
    },
  )
})

/** A diff of one hunk as programs write it: equal lines at both ends are left out but for a few around. */
function toDiff(before: readonly string[], after: readonly string[], context: number): string {
  let start = 0
  while (start < Math.min(before.length, after.length) && before[start] === after[start]) start += 1
  let end = 0
  while (end < Math.min(before.length, after.length) - start && before.at(-1 - end) === after.at(-1 - end)) end += 1
  const lead = Math.min(start, context)
  const tail = Math.min(end, context)
  const removed = before.slice(start, before.length - end)
  const added = after.slice(start, after.length - end)
  const [counted, brought] = [lead + removed.length + tail, lead + added.length + tail]
  const head = (count: number): string => `${count === 0 ? start - lead : start - lead + 1},${count}`
  return [
    `@@ -${head(counted)} +${head(brought)} @@`,
    ...before.slice(start - lead, start).map((line) => ` ${line}`),
    ...removed.map((line) => `-${line}`),
    ...added.map((line) => `+${line}`),
    ...before.slice(before.length - end, before.length - end + tail).map((line) => ` ${line}`),
    '',
  ].join('\n')
}
