import { execFileSync } from 'node:child_process'

import { describe, expect, it } from 'vitest'

import type { LookVariable } from '../../../gateway/src/check-runner/evaluateLook.ts'
import { lookApart } from '../../../gateway/src/check-runner/lookApart.ts'
import { LOW_PRIORITY } from '../../../gateway/src/platform/lowerPriority.ts'

const content: LookVariable = { name: 'content', type: 'string', value: 'abcdefgh'.repeat(10_000) }
const json: LookVariable = {
  name: 'json',
  type: 'dyn',
  value: { items: Array.from({ length: 5_000 }, (_, at) => `item ${at}`), big: 7n, map: new Map([['a', 1]]) },
}
const variables: readonly LookVariable[] = [
  content,
  json,
  { name: 'elapsed', type: 'google.protobuf.Duration', value: 150 },
]
const ask = (expression: string, wants: 'truth' | 'text' = 'truth') => lookApart({ expression, wants, variables })

/** Doubles what it begins with, once for each step. */
const doubled = (start: string, steps: number): string => `[${start}]${'.map(x, x + x)'.repeat(steps)}`

describe('lookApart', () => {
  it('says what the expression says, of values that another process can be told', async () => {
    expect(await ask('json.items.size() == 5000 && json.big == 7 && elapsed < duration("1s")')).toEqual({ value: true })
    expect(await ask('elapsed', 'text')).toEqual({ value: '150ms' })
    expect(await ask('nonsense')).toMatchObject({ problem: { isMalformed: true } })
  })

  it.each([
    ['a text that doubles until it has 80 GB', `${doubled('content', 20)}[0].size() > 0`],
    ['a list that doubles', `${doubled('json.items', 15)}[0].size() > 0`],
    ['many long texts', 'json.items.map(x, content.upperAscii() + x).map(y, y.lowerAscii()).size() > 0'],
    ['lists of lists', 'json.items.map(a, json.items.map(b, json.items.map(c, [a, b, c]))).size() > 0'],
  ])('gives up on %s, and on nothing else', async (_, expression) => {
    const before = process.memoryUsage.rss()
    const answers = await Promise.all([ask(expression), ask('json.items.size() == 5000')])
    expect(answers[0]).toMatchObject({
      problem: { text: expect.stringMatching(/takes too long|too much memory|Invalid string length/) as string },
    })
    expect(answers[1]).toEqual({ value: true })
    // What it built was built elsewhere.
    expect(process.memoryUsage.rss() - before).toBeLessThan(100 * 2 ** 20)
  })

  it('does not begin with one that is longer than anyone writes', async () => {
    expect(await ask(`"${'x'.repeat(20_000)}" == ""`)).toMatchObject({ problem: { isMalformed: true } })
  })

  it('lets everything else go first', async () => {
    await ask('true')
    const children = execFileSync('ps', ['-eo', 'ppid=,nice=,args='], { encoding: 'utf8' })
      .split('\n')
      .map((line) => line.trim().split(/\s+/))
      .filter(([parent, , ...command]) => Number(parent) === process.pid && /expressionProcess/.test(command.join(' ')))
    expect(children.map(([, nice]) => Number(nice))).toEqual([LOW_PRIORITY])
  })
})
