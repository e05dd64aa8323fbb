import {
  checksTopic,
  CLOSE_CODES,
  closeReaction,
  deepEqual,
  negotiateVersion,
  PackedRowsSchema,
  packRows,
  topicAddress,
  topicKey,
  TOPICS,
  unpackRows,
} from '@watchroom/shared/protocol'
import { describe, expect, it } from 'vitest'

import { buildCheck } from '#support/buildCheck.ts'
import { createRandom } from '#support/random.ts'

describe('addresses', () => {
  it('[LIVE-1] names a topic by its name and parameters, in any order', () => {
    expect(topicAddress('run', { b: '2', a: '1' })).toBe(topicAddress('run', { a: '1', b: '2' }))
    expect(topicAddress('checks', {})).toBe('checks')
    expect(topicAddress('run', { id: 'a&b=c' })).not.toBe(topicAddress('run', { id: 'a', b: 'c' }))
    expect(topicKey(checksTopic, {})).toEqual(['live', 'checks'])
  })

  it('names every topic as its key in the list', () => {
    expect(Object.entries(TOPICS).map(([name, topic]) => name === topic.name)).not.toContain(false)
  })
})

describe('row schemas', () => {
  it('[LIVE-6] are idempotent', () => {
    const check = TOPICS.checks.row.parse(
      buildCheck({ last_error: 'down', uptime: { passed: 1, failed: 2, last_pass: null, last_fail: null } }),
    )
    expect(TOPICS.checks.row.parse(check)).toEqual(check)
    const agent = TOPICS.agents.row.parse({ id: 'a', name: 'agent', properties: { x: 1 }, created_by: 'nobody' })
    expect(TOPICS.agents.row.parse(agent)).toEqual(agent)
  })
})

describe('close codes', () => {
  it('[LIVE-45] are unique, and final ones begin with 44', () => {
    const codes = Object.values(CLOSE_CODES)
    expect(new Set(codes.map(({ code }) => code)).size).toBe(codes.length)
    for (const { code, reaction } of codes) expect(reaction === 'retry').toBe(code >= 4500)
  })

  it('[LIVE-45] follow their range when they are of a newer version', () => {
    expect(closeReaction(4499)).toBe('stop')
    expect(closeReaction(4599)).toBe('retry')
    expect(closeReaction(4401)).toBe('signIn')
    expect(closeReaction(4426)).toBe('reload')
  })
})

describe('versions', () => {
  it('[LIVE-50] settle on the newest that both sides speak', () => {
    expect(negotiateVersion([1, 2, 3], [2, 1])).toBe(2)
    expect(negotiateVersion([1], [2, 1])).toBe(1)
    expect(negotiateVersion([3], [2, 1])).toBeNull()
    expect(negotiateVersion([])).toBeNull()
  })
})

describe('packed rows', () => {
  const overTheWire = (rows: Record<string, unknown>[]): unknown[] =>
    unpackRows(PackedRowsSchema.parse(JSON.parse(JSON.stringify(packRows(rows)))))

  it('[LIVE-40] come back as they were, in their order', () => {
    const rows = [
      buildCheck({ id: 'a' }),
      buildCheck({ id: 'b', last_error: null, labels: { app: 'x' } }),
      buildCheck({ id: 'c', labels: { app: 'y' } }),
    ]
    expect(overTheWire(rows)).toEqual(rows)
    expect(overTheWire([])).toEqual([])
    expect(overTheWire([{}])).toEqual([{}])
  })

  it('[LIVE-40] come back whatever JSON they hold', () => {
    const random = createRandom(7)
    const value = (depth: number): unknown => {
      const roll = Math.floor(random() * (depth > 2 ? 4 : 7))
      if (roll === 0) return null
      if (roll === 1) return random() < 0.5
      if (roll === 2) return Math.floor(random() * 100)
      if (roll === 3) return ['', 'a', '"', '\\', 'ü', '__proto'][Math.floor(random() * 6)]
      if (roll === 4) return Array.from({ length: Math.floor(random() * 3) }, () => value(depth + 1))
      const fields = Array.from({ length: Math.floor(random() * 4) }, (_, at) => [`f${at}`, value(depth + 1)])
      return Object.fromEntries(fields)
    }
    for (let round = 0; round < 300; round++) {
      const rows = Array.from({ length: Math.floor(random() * 6) }, (_, id) => ({ id, x: value(0), y: value(0) }))
      expect(overTheWire(rows)).toEqual(rows)
    }
  })

  it('[LIVE-40] bring identifiers and times back to the letter, and take a fraction of the bytes', () => {
    const at = (ms: number): string => new Date(Date.parse('2026-01-01T00:00:00.000Z') + ms).toISOString()
    const random = createRandom(3)
    const uuid = (): string =>
      Array.from({ length: 32 }, () => Math.floor(random() * 16).toString(16))
        .join('')
        .replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
    for (const length of [1, 2, 3, 100]) {
      const rows = Array.from({ length }, () => {
        const ranAt = Math.floor(random() * 60_000)
        return { id: uuid(), last_runtime: at(ranAt), next_runtime: at(ranAt + 30_000), deep: { last_pass: at(ranAt) } }
      })
      expect(overTheWire(rows)).toEqual(rows)
    }
    const rows = Array.from({ length: 100 }, (_, index) => ({ id: uuid(), at: at(index), again: at(index) }))
    expect(JSON.stringify(packRows(rows)).length).toBeLessThan(JSON.stringify(rows).length / 3)
  })

  it.each([
    [['2026-01-01T00:00:00Z', '2026-01-01T00:00:00.000Z']],
    [['2026-01-01T00:00:00.123456Z']],
    [['2026-02-31T00:00:00.000Z']],
    [['+275760-09-13T00:00:00.000Z', '0000-01-01T00:00:00.000Z']],
    [['2026-01-01T00:00:00.000Z', null]],
    [['not a time, 24 letters ..']],
    [['A0000000-0000-4000-8000-000000000000']],
    [['00000000-0000-4000-8000-000000000000', '']],
    [['00000000-0000-4000-8000-000000000000', '00000000-0000-4000-8000-000000000000']],
  ])('[LIVE-40] leave %j as it is', (values) => {
    const rows = values.map((value) => ({ value }))
    expect(overTheWire(rows)).toEqual(rows)
  })

  it('[LIVE-40] never reach a prototype', () => {
    const hostile = [{ rows: { f: ['id', '__proto__'], c: [{ v: ['a'] }, { v: [{ polluted: true }] }], n: 1 } }]
    const [row] = unpackRows(PackedRowsSchema.parse(JSON.parse(JSON.stringify(hostile))))
    expect(row).toEqual({ id: 'a' })
    expect(Object.getPrototypeOf(row)).toBe(Object.prototype)
  })
})

describe('deepEqual', () => {
  it.each([
    [{ a: 1 }, { a: 1, b: undefined }, true],
    [{ a: 1, b: undefined }, { a: 1 }, true],
    [{ a: null }, {}, false],
    [{}, { a: null }, false],
    [[1, 2], [1, 2], true],
    [[1, 2], [1], false],
    [[], {}, false],
    [{ a: [{ b: 1 }] }, { a: [{ b: 1 }] }, true],
    [{ a: [{ b: 1 }] }, { a: [{ b: 2 }] }, false],
    [null, {}, false],
    ['1', 1, false],
  ])('compares %j with %j', (a, b, isEqual) => {
    expect(deepEqual(a, b)).toBe(isEqual)
  })
})
