import { deflateRawSync } from 'node:zlib'

import { CheckBoardRowSchema } from '@watchroom/shared/health'
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
      if (roll === 3) return ['', 'a', '"', '\\', 'ü', '__proto', 'a 1', 'a 12', 'a \u007f'][Math.floor(random() * 9)]
      if (roll === 4) return Array.from({ length: Math.floor(random() * 3) }, () => value(depth + 1))
      const fields = Array.from({ length: Math.floor(random() * 4) }, (_, at) => [`f${at}`, value(depth + 1)])
      return Object.fromEntries(fields)
    }
    for (let round = 0; round < 300; round++) {
      const rows = Array.from({ length: Math.floor(random() * 6) }, (_, id) => ({ id, x: value(0), y: value(0) }))
      // Runs of equal rows, and rows that come back after others.
      const repeated = rows.flatMap((row) => Array.from({ length: 1 + Math.floor(random() * 3) }, () => row))
      expect(overTheWire(repeated)).toEqual(repeated)
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

  it('[LIVE-47] bring texts that differ in their numbers back to the letter', () => {
    const name = (index: number): string => `node-${index} in rack 007, 10.0.${index % 4}.${index}:${80 + index}`
    for (const length of [1, 3, 4, 100]) {
      const rows = Array.from({ length }, (_, index) => ({ name: name(index), host: `h${index}`, port: 80 + index }))
      expect(overTheWire(rows)).toEqual(rows)
    }
    const rows = Array.from({ length: 100 }, (_, index) => ({
      name: name(index),
      again: `${name(index)} and ${index}`,
    }))
    expect(JSON.stringify(packRows(rows)).length).toBeLessThan(JSON.stringify(rows).length / 2)
  })

  it.each([
    [['a1', 'a1b2', 'a1b2c3', 'a', 'a1', 'a1b2', 'a1b2', 'a1']],
    [['7', '07', '007', '0', '00', '-1', '1.5', '1e3']],
    [['9007199254740991', '9007199254740992', '9007199254740993', '99999999999999999999']],
    [['a1', 'a2', 'a3', 'a\u007f4', 'a5']],
    [['a1', 'a2', 'a3', null, 'a5', 'a6', 7, 'a8']],
    [[1, 2, 3.5, 4]],
    [[-5, 0, 100, Number.MAX_SAFE_INTEGER]],
    [[1_000, 3_000, 3_000, 2_000]],
    [[1e300, 1, 2]],
    [[true, true, true, false]],
    [[null, null, null]],
    [[{ a: 1 }, { a: 1 }, { a: 2 }, { a: 2 }]],
    [[[], [], [1], [1, 'a1']]],
  ])('[LIVE-47] bring %j back as they are', (values) => {
    const rows = values.map((value) => ({ value }))
    expect(overTheWire(rows)).toEqual(rows)
  })

  it('[LIVE-47] send a thousand checks in less than 20 kB', () => {
    const random = createRandom(11)
    const below = (bound: number): number => Math.floor(random() * bound)
    const uuid = (): string =>
      `01a1fc34-248a-${[4, 4, 12].map((digits) => Array.from({ length: digits }, () => below(16).toString(16)).join('')).join('-')}`
    const at = (ms: number): string => new Date(Date.parse('2026-01-01T00:00:00.000Z') + ms).toISOString()
    const canaries = Array.from({ length: 20 }, uuid)
    const rows = Array.from({ length: 1_000 }, (_, index) => {
      const [canary, check, p95, ranAt] = [Math.floor(index / 50), index % 50, below(60), below(50_000)]
      return CheckBoardRowSchema.parse({
        id: uuid(),
        canary_id: canaries[canary],
        canary_name: `group-${canary}`,
        canary_namespace: `area-${canary % 5}`,
        name: `service ${canary}-${check}`,
        namespace: `area-${canary % 5}`,
        type: 'http',
        status: below(50) === 0 ? 'unhealthy' : 'healthy',
        description: 'Answers within its time',
        endpoint: `http://10.0.0.7:8080/${canary}/${check}`,
        labels: { team: ['north', 'south', 'east'][canary % 3], tier: check % 2 === 0 ? 'web' : 'data' },
        uptime: { passed: 71 + below(2), failed: 0 },
        latency: { p95, p97: p95 + below(3), p99: p95 + below(9) },
        last_runtime: at(ranAt),
        next_runtime: at(ranAt + 50_000 - below(60)),
        last_transition_time: at(-below(20_000)),
      })
    })
    expect(overTheWire(rows)).toEqual(rows)
    expect(deflateRawSync(JSON.stringify(packRows(rows)), { level: 9 }).length).toBeLessThan(20_000)
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
