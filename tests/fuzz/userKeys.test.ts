// What people call things: label keys and values, words of an address. Every parser of an address and every path of a label is
// given what plain objects inherit, what no text should hold, and what is far too long. Seeded; prints the seed of a failure.
//
// WATCHROOM_FUZZ_SEEDS how many seeds, WATCHROOM_FUZZ_START the first one.
import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

import {
  type CheckNode,
  groupChecks,
  matchesLabels,
  toKnownFilter,
  toLabelGroups,
  toLabelKeys,
  toPivotCells,
  toPivotColumns,
  toPivotValue,
  toTabValue,
  tryParseGroupBy,
  tryParseTabBy,
} from '@watchroom/shared/health'
import { expandCanary, tryParseSchedule } from '@watchroom/shared/health/check-types'
import { historyLabel, historyText } from '@watchroom/shared/incidents'
import { tryParseByteSize } from '@watchroom/shared/kernel'
import { deepEqual } from '@watchroom/shared/protocol'
import { tryParseDuration } from '@watchroom/shared/time'
import { matchesFilter, WallFilterSchema } from '@watchroom/shared/wall'
import { expect, it } from 'vitest'
import { z } from 'zod'

import { parseLabelFilter, stringifyLabelFilter } from '../../web/src/features/health-board/labelSearch.ts'
import { fillTemplate } from '../../web/src/features/incident-room/responders/fillTemplate.ts'
import { toSubmitBody } from '../../web/src/features/sign-in/flowValues.ts'
import { toTiles } from '../../web/src/features/wallboard/board/toTiles.ts'
import { toFilter } from '../../web/src/features/wallboard/search.ts'
import { parseSearch, stringifySearch } from '../../web/src/url/searchParams.ts'
import { parseThreeWay, stringifyThreeWay } from '../../web/src/url/threeWay.ts'
import { readTimeRange, writeTimeRange } from '../../web/src/url/timeRangeSearch.ts'
import { buildFacts } from '../support/buildCheck.ts'
import { howMany } from '../support/howMany.ts'
import { createRandom } from '../support/random.ts'

const SEEDS = howMany('WATCHROOM_FUZZ_SEEDS', { short: 300, long: 3_000 })
const START = Number(process.env.WATCHROOM_FUZZ_START ?? 1)

const INHERITED = Object.getOwnPropertyNames(Object.prototype)
const HOSTILE = [
  ...INHERITED,
  'prototype',
  'length',
  '',
  ' ',
  '\0',
  'a\0b',
  '\uD800',
  '👩‍👩‍👧‍👦',
  'x'.repeat(10_000),
  'constructor,toString:1',
  '%E0%A4%A',
  '{"__proto__":1}',
  '__proto__.polluted',
]
/** Every screen's, by folder and name. */
async function readSchemas(): Promise<[string, z.ZodType<object>][]> {
  const folder = join(import.meta.dirname, '../../web/src/features')
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (name) => basename(name) === 'search.ts',
  )
  const found = files.toSorted().map(async (file) => {
    const exported = (await import(join(folder, file))) as Readonly<Record<string, unknown>>
    return Object.entries(exported).flatMap(([name, schema]) =>
      schema instanceof z.ZodType
        ? [[`${dirname(file)} ${name}`, schema as z.ZodType<object>] as [string, z.ZodType<object>]]
        : [],
    )
  })
  return (await Promise.all(found)).flat()
}
const SCHEMAS = await readSchemas()

const pick = <Item>(items: readonly Item[], random: () => number): Item =>
  items[Math.floor(random() * items.length)] as Item

/** Nothing that a screen could not draw: no function or object of the language came along. */
function assertPlain(value: unknown, place: string): void {
  if (typeof value === 'object' && value !== null) {
    const prototype: unknown = Object.getPrototypeOf(value)
    assert(prototype === Object.prototype || prototype === null || Array.isArray(value), `${place} is no plain object`)
    for (const [key, part] of Object.entries(value)) assertPlain(part, `${place}.${key.slice(0, 40)}`)
    return
  }
  assert(typeof value !== 'function' && typeof value !== 'symbol', `${place} is a ${typeof value}`)
}

const seeds = Array.from({ length: SEEDS }, (_, index) => START + index)

function forEachSeed(work: (random: () => number) => void): void {
  for (const seed of seeds) {
    try {
      work(createRandom(seed))
    } catch (error) {
      throw new Error(`seed ${seed}`, { cause: error })
    }
  }
  expect(Object.getOwnPropertyNames(Object.prototype)).toEqual(INHERITED)
}

it('knows the addresses of every screen', () => {
  expect(SCHEMAS.length).toBeGreaterThan(30)
})

it.each(SCHEMAS)('the address of %s yields plain values, whatever it says', (_name, schema) => {
  forEachSeed((random) => {
    const params = new URLSearchParams()
    const keys = [...Object.keys(schema.parse({})), ...HOSTILE, 'groupBy', 'tabBy', 'labels', 'timeRange', 'from']
    for (let count = 0; count < 12; count++) {
      const value = pick(HOSTILE, random)
      params.append(pick(keys, random), random() < 0.4 ? `label:${value}` : value)
    }
    const address = parseSearch(params.toString())
    assertPlain(address, 'address')
    assert.equal(typeof stringifySearch(address), 'string')
    assertPlain(schema.parse(address), 'search')
    const range = readTimeRange(address)
    assertPlain(range, 'range')
    assertPlain(writeTimeRange(address, range), 'address with range')
  })
})

it('filters of an address hold what was written and nothing else', () => {
  forEachSeed((random) => {
    const text = JSON.stringify(Object.fromEntries([[pick(HOSTILE, random), pick([1, -1, 2, null], random)]]))
    const filter = parseLabelFilter(random() < 0.5 ? text : encodeURIComponent(text))
    assert([...filter.values()].every((choice) => choice === 1 || choice === -1))
    assert.deepEqual(parseLabelFilter(stringifyLabelFilter(filter)), filter)
    const given = pick(HOSTILE, random)
    assertPlain(toFilter({ query: '', labels: given }).labels, 'labels of the wall')
    assertPlain(toFilter({ query: given.slice(0, 200), labels: text, namespace: given }), 'filter of the wall')
    const threeWay = parseThreeWay(given)
    assert.deepEqual(parseThreeWay(stringifyThreeWay(threeWay)), threeWay)
  })
})

it('labels of any name group, tab, pivot, filter and compare as text', () => {
  forEachSeed((random) => {
    const toLabels = (): Record<string, string> =>
      Object.fromEntries(Array.from({ length: 3 }, () => [pick(HOSTILE, random), pick(HOSTILE, random)]))
    const checks = Array.from({ length: 6 }, (_, index) =>
      buildFacts({ id: String(index), name: pick(HOSTILE, random), type: pick(HOSTILE, random), labels: toLabels() }),
    )
    const rows = checks.map(({ row }) => row)
    const key = pick(HOSTILE, random)
    const groupBy = tryParseGroupBy(`label:${key}`)
    const tabBy = tryParseTabBy(`label:${key}`)
    const assertTitles = (nodes: readonly CheckNode[]): void => {
      for (const node of nodes) {
        assert.equal(typeof node.title, 'string')
        if (node.kind === 'group') assertTitles(node.children)
      }
    }
    if (groupBy !== null) {
      assertTitles(groupChecks(checks, groupBy))
      const filter = WallFilterSchema.parse({})
      for (const tile of toTiles(rows, { filter, groupBy }).tiles) assert.equal(typeof tile.title, 'string')
    }
    if (tabBy !== null) for (const row of rows) assert.equal(typeof toTabValue(row, tabBy), 'string')
    const pivot = { by: 'labels', label: key } as const
    for (const row of rows) assert(['string', 'object'].includes(typeof toPivotValue(row, pivot)))
    assertPlain(toPivotColumns(checks, pivot), 'columns')
    toPivotCells(checks, pivot, toPivotColumns(checks, pivot))
    assertPlain(toLabelGroups(rows), 'label groups')
    assertPlain(toLabelKeys(rows), 'label keys')
    const known = toKnownFilter(
      rows,
      parseLabelFilter(JSON.stringify({ [`canary:${key}:${pick(HOSTILE, random)}`]: 1 })),
    )
    for (const row of rows) {
      assert.equal(typeof matchesLabels(row.labels, known), 'boolean')
      matchesFilter(row, WallFilterSchema.parse({ labels: { 'canary:constructor:x': 1 } }))
      // A label that is called like something inherited is a difference too.
      assert(!deepEqual({ ...row.labels, toString: 'x' }, { ...row.labels, toString: undefined }))
      assert(!deepEqual({}, { constructor: 'x' }))
    }
  })
})

it('words of a table or a definition are looked up among our own', () => {
  for (const word of HOSTILE) {
    assert.equal(tryParseSchedule(word), null)
    assert.equal(tryParseDuration(`1${word}`), null)
    if (word.trim() !== '') assert.equal(tryParseByteSize(`1${word}`), null)
    assert.equal(typeof historyLabel(word), 'string')
    assert.equal(typeof historyText({ type: word } as Parameters<typeof historyText>[0]), 'string')
    assert.equal(fillTemplate(`<%= ${word} %>`, {}).includes('native code'), false)
    assertPlain(toSubmitBody([], {}, { name: word, value: 'x' }), 'body')
    assertPlain(expandCanary({ [word]: [{ name: 'x' }], http: [{ name: word, url: 'http://x.example' }] }), 'canary')
  }
  expect(Object.getOwnPropertyNames(Object.prototype)).toEqual(INHERITED)
})
