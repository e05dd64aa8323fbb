import type { Op } from '@watchroom/shared/protocol'
import { describe, expect, it } from 'vitest'

import { FakeClock } from '#support/fakeClock.ts'

import { createTopicTable, diffRow, mergeOps } from '../../../gateway/src/live/createTopicTable.ts'

interface Row extends Record<string, unknown> {
  id: string
  name: string
  note?: string
}

function buildTable(limits = { maxOps: 5, maxAgeMs: 1_000 }) {
  const clock = new FakeClock()
  return { clock, table: createTopicTable<Row>({ key: 'id', epoch: 'e1', clock, limits }) }
}

const row = (id: string, name = id): Row => ({ id, name })
const atMost = (maxOps: number, maxBytes = Infinity) => ({ maxOps, maxBytes })

describe('positions', () => {
  it('[LIVE-2] has none before the first rows, which are offset 0; then each op counts', () => {
    const { table } = buildTable()
    expect(table.position()).toBeNull()
    expect(table.snapshot()).toBeNull()
    expect(table.replace([row('a'), row('b')], 1)).toBe(0)
    expect(table.position()).toEqual({ epoch: 'e1', offset: 0 })
    expect(table.replace([row('a', 'new'), row('c')], 2)).toBe(3)
    expect(table.position()).toEqual({ epoch: 'e1', offset: 3 })
    expect(table.replace([row('a', 'new'), row('c')], 3)).toBe(0)
    expect(table.asOf()).toBe(3)
  })

  it('[LIVE-3] keeps the rows of a snapshot as they were', () => {
    const { table } = buildTable()
    table.replace([row('a')], 1)
    const snapshot = table.snapshot()
    table.change([row('a', 'new'), row('b')], [], 2)
    expect(snapshot).toEqual({ epoch: 'e1', offset: 0, asOf: 1, rows: [row('a')] })
    expect(table.snapshot()).toMatchObject({ offset: 2, rows: [row('a', 'new'), row('b')] })
    expect(table.snapshot()).toBe(table.snapshot())
  })

  it('[LIVE-4] knows no position of another epoch, nor of the future', () => {
    const { table } = buildTable()
    table.replace([row('a')], 1)
    expect(table.reaches({ epoch: 'e1', offset: 0 })).toBe(true)
    expect(table.reaches({ epoch: 'e2', offset: 0 })).toBe(false)
    expect(table.reaches({ epoch: 'e1', offset: 1 })).toBe(false)
  })

  it('ignores changes of nothing known', () => {
    const { table } = buildTable()
    expect(table.change([row('a')], [], 1)).toBe(0)
    expect(table.position()).toBeNull()
  })
})

describe('the log', () => {
  it('[LIVE-5] forgets the oldest ops beyond its length', () => {
    const { table } = buildTable({ maxOps: 3, maxAgeMs: 1_000 })
    table.replace([row('a')], 1)
    for (let version = 1; version <= 5; version++) table.change([row('a', `v${version}`)], [], version)
    expect(table.delta(1, atMost(10))).toBeNull()
    expect(table.delta(2, atMost(10))).toMatchObject({ from: 2, to: 5 })
  })

  it('[LIVE-5] remembers as many ops as there are rows, so that a change of all is a delta', () => {
    const { table } = buildTable({ maxOps: 2, maxAgeMs: 1_000 })
    const names = ['a', 'b', 'c', 'd']
    table.replace(
      names.map((id) => row(id)),
      1,
    )
    table.replace(
      names.map((id) => row(id, 'new')),
      2,
    )
    expect(table.delta(0, atMost(10))?.ops).toHaveLength(4)
  })

  it('[LIVE-5] forgets ops older than its age', async () => {
    const { table, clock } = buildTable()
    table.replace([row('a')], 1)
    table.change([row('a', 'v1')], [], 2)
    await clock.advance(1_500)
    table.change([row('a', 'v2')], [], 3)
    expect(table.delta(0, atMost(10))).toBeNull()
    expect(table.delta(1, atMost(10))).toMatchObject({ from: 1, to: 2 })
  })

  it('[LIVE-21] gives a delta in steps; only the last one is as young as the table', () => {
    const { table } = buildTable({ maxOps: 100, maxAgeMs: 1_000 })
    table.replace([row('a'), row('b')], 1)
    table.change([row('a', 'v1'), row('b', 'v1')], [], 10)
    table.change([row('a', 'v2')], [], 20)
    table.replace([row('a', 'v2'), row('b', 'v1')], 30)
    expect(table.delta(0, atMost(2))).toMatchObject({ from: 0, to: 2, asOf: 10 })
    expect(table.delta(2, atMost(2))).toMatchObject({ from: 2, to: 3, asOf: 30 })
    expect(table.delta(3, atMost(2))).toMatchObject({ from: 3, to: 3, ops: [], asOf: 30 })
  })

  it('[LIVE-21] gives few large ops in one step, and one that is larger than a step alone', () => {
    const { table } = buildTable({ maxOps: 100, maxAgeMs: 1_000 })
    table.replace([row('a')], 1)
    for (const length of [400, 401, 402, 3_000, 10]) table.change([row('a', 'x'.repeat(length))], [], length)
    const stepFrom = (at: number): number | undefined => table.delta(at, atMost(1_000, 1_000))?.to
    expect([0, 2, 3, 4].map(stepFrom)).toEqual([2, 3, 4, 5])
  })
})

describe('ops', () => {
  it('[LIVE-6] carry changed fields only, and name those that are gone', () => {
    expect(diffRow({ id: 'a', name: 'x', note: 'n' }, { id: 'a', name: 'y', note: 'n' })).toEqual({
      set: { name: 'y' },
    })
    expect(diffRow({ id: 'a', note: 'n' }, { id: 'a' })).toEqual({ set: {}, unset: ['note'] })
    expect(diffRow({ id: 'a', tags: { x: 1 } }, { id: 'a', tags: { x: 1 } })).toBeNull()
    expect(diffRow({ id: 'a', tags: { x: 1 } }, { id: 'a', tags: { x: 2 } })).toEqual({ set: { tags: { x: 2 } } })
  })

  it('[LIVE-20] [LIVE-11] of one key become one op with the effect of all', () => {
    const { table } = buildTable({ maxOps: 100, maxAgeMs: 1_000 })
    table.replace([{ id: 'a', name: 'v0', note: 'n' }], 1)
    table.change([{ id: 'a', name: 'v1', note: 'n' }], [], 2)
    table.change([{ id: 'a', name: 'v1' }], [], 3)
    table.change([{ id: 'a', name: 'v2' }], [], 4)
    expect(table.delta(0, atMost(10))?.ops).toEqual([{ op: 'upsert', key: 'a', set: { name: 'v2' }, unset: ['note'] }])
  })

  const upsert = (set: Row | object, more: object = {}): Op => ({ op: 'upsert', key: 'a', set: { ...set }, ...more })
  const remove: Op = { op: 'remove', key: 'a' }
  it.each([
    ['removed after a change', upsert({ name: 'x' }), remove, remove],
    ['back after its removal', remove, upsert({ id: 'a' }, { whole: true }), upsert({ id: 'a' }, { whole: true })],
    [
      'changed after it was new',
      upsert({ id: 'a', note: 'n' }, { whole: true }),
      upsert({ name: 'x' }, { unset: ['note'] }),
      upsert({ id: 'a', name: 'x' }, { whole: true }),
    ],
    ['set again after unset', upsert({}, { unset: ['note'] }), upsert({ note: 'n' }), upsert({ note: 'n' })],
    ['unset after set', upsert({ note: 'n' }), upsert({}, { unset: ['note'] }), upsert({}, { unset: ['note'] })],
  ])('[LIVE-11] of a row %s merge', (_name, earlier, later, merged) => {
    expect(mergeOps(earlier, later)).toEqual(merged)
  })
})
