// What a run makes of what it reads: also while the machine is too busy to evaluate expressions, and without what must not be stored.
import { ScraperSpecSchema } from '@watchroom/shared/specs'
import { expect, it, vi } from 'vitest'

import { eventually } from '#support/eventually.ts'
import { FakeClock } from '#support/fakeClock.ts'

import type { LookAnswer } from '../../../../../gateway/src/check-runner/evaluateLook.ts'
import type { LookUp } from '../../../../../gateway/src/check-runner/lookApart.ts'
import type { Family } from '../../../../../gateway/src/embedded-backend/catalog/family.ts'
import type { RawItem } from '../../../../../gateway/src/embedded-backend/catalog/item.ts'
import { readItems } from '../../../../../gateway/src/embedded-backend/catalog/run/readItems.ts'

const STARVED: LookAnswer = {
  problem: { text: 'cannot be evaluated now: its process does not start', isMalformed: false, isPassing: true },
}
const SPEC = ScraperSpecSchema.parse({
  file: [
    {
      format: 'yaml',
      icon: 'file',
      paths: ['saved'],
      id: '$.id',
      type: 'T',
      health: { expr: 'config.health' },
      insights: [{ analyzer: 'ports', type: 'security', severity: 'high', expr: 'config.port == 22' }],
    },
  ],
})
const ONE: RawItem = { config: { id: 'one', port: 22 }, facts: {}, place: { source: 'one.yaml' } }
const answer: LookUp = ({ wants }) => Promise.resolve({ value: wants === 'truth' ? true : 'unhealthy' })

interface Read {
  readonly lookUp?: LookUp
  readonly clock?: FakeClock
  readonly signal?: AbortSignal
  readonly items?: readonly RawItem[]
  readonly secrets?: readonly string[]
}

function read({
  lookUp = answer,
  clock = new FakeClock(),
  signal = new AbortController().signal,
  items = [ONE],
  secrets = [],
}: Read) {
  const context = { scraper: { id: 'scraper', name: 'files' }, clock, signal }
  const family: Family = {
    name: 'file',
    read: async function* () {
      await Promise.resolve()
      yield { items, warnings: [] }
    },
  }
  return readItems({ spec: SPEC, secrets, stored: [] }, context, { families: new Map([['file', family]]), lookUp })
}

it('asks again what a busy machine could not be asked: insights and health stay what they are', async () => {
  const clock = new FakeClock()
  const asked = new Set<string>()
  // Each expression is answered when it is asked for the second time.
  const lookUp = vi.fn<LookUp>((look) => {
    if (asked.has(look.expression)) return answer(look)
    asked.add(look.expression)
    return Promise.resolve(STARVED)
  })
  const reading = read({ lookUp, clock })
  for (const expression of ['config.health', 'config.port == 22']) {
    await eventually(() => expect([asked.has(expression), clock.pending]).toEqual([true, 1]))
    await clock.advance(1_000)
  }
  const { plan, isComplete, warnings } = await reading
  expect([...plan.items.values()].map(({ written }) => [written?.health, written?.insights.length])).toEqual([
    ['unhealthy', 1],
  ])
  expect([isComplete, warnings]).toEqual([true, []])
})

it('leaves the items as they are where it cannot be asked for long, says so, and is not complete', async () => {
  const clock = new FakeClock()
  const lookUp = vi.fn<LookUp>((look) => (look.wants === 'truth' ? Promise.resolve(STARVED) : answer(look)))
  const reading = read({ lookUp, clock })
  let isOver = false
  void reading.finally(() => (isOver = true))
  await eventually(async () => {
    await clock.advance(10_000)
    expect(isOver).toBe(true)
  })
  const { plan, isComplete, warnings } = await reading
  expect([plan.items.size, isComplete]).toEqual([0, false])
  expect(warnings).toEqual([
    {
      source: 'file.0',
      message: 'config.port == 22: cannot be evaluated now: its process does not start',
      hidesItems: true,
    },
  ])
})

it('ends for the reason that it was ended for while it waits', async () => {
  const clock = new FakeClock()
  const stop = new AbortController()
  const reading = read({ lookUp: () => Promise.resolve(STARVED), clock, signal: stop.signal })
  await eventually(() => expect(clock.pending).toBe(1))
  stop.abort(new Error('takes too long'))
  await expect(reading).rejects.toThrow('takes too long')
})

/** Every text of what a program may print of an item. */
const withWords = (words: string): RawItem => ({
  ...ONE,
  facts: {
    aliases: [words],
    name: words,
    class: words,
    status: words,
    description: words,
    icon: words,
    labels: { [words]: words },
    tags: { [words]: words },
    properties: [{ name: words, value: words, label: words, unit: words, icon: words }],
    parent: { id: words },
    relationships: [{ to: { id: words, type: words }, relation: words }],
    changes: [
      { id: words, type: words, severity: words, source: words, summary: words, createdBy: words, diff: words },
    ],
    insights: [{ analyzer: words, type: words, severity: words, message: words, summary: words }],
  },
})

it.each([
  ['a credential', 'password=hunter2', []],
  ['what its spec was filled with', 'of hunter2', ['hunter2']],
])('keeps %s in none of the texts of an item', async (_, words, secrets) => {
  const { plan } = await read({ items: [withWords(words)], secrets })
  const kept = JSON.stringify([...plan.items.values()])
  expect(kept).toContain('***')
  expect(kept).not.toContain('hunter2')
})

it('leaves texts whole that a short value of its spec happens to be in', async () => {
  const { plan } = await read({ items: [withWords('gate-1')], secrets: ['1'] })
  expect([...plan.items.values()].map(({ name }) => name)).toEqual(['gate-1'])
})

it('measures a document in bytes', async () => {
  const item = (id: string, text: string): RawItem => ({ config: { id, text }, facts: {}, place: { source: id } })
  const { plan, warnings } = await read({
    items: [
      item('ascii', 'x'.repeat(4_900_000)),
      item('long', 'x'.repeat(5_100_000)),
      item('kana', 'あ'.repeat(2_000_000)),
    ],
  })
  expect([...plan.items.keys()]).toHaveLength(1)
  const message = 'the document of an item is larger than 5 MB'
  expect(warnings).toEqual(['long', 'kana'].map((source) => ({ source, message, hidesItems: true })))
})
