import { applyDelta, applySnapshotPage, type Op, type RowReader, type TableState } from '@watchroom/shared/protocol'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'

const RowSchema = z.object({
  id: z.string(),
  name: z.string(),
  tags: z.array(z.string()).default([]),
  note: z.string().optional(),
})
type Row = z.infer<typeof RowSchema>
const reader: RowReader<Row> = { schema: RowSchema, key: 'id' }

const row = (id: string, name = id): Row => ({ id, name, tags: ['a'] })
const state = (offset = 5, rows: Row[] = [row('a'), row('b')]): TableState<Row> => ({
  epoch: 'e1',
  offset,
  asOf: 100,
  rows: new Map(rows.map((known) => [known.id, known])),
})
const delta = (from: number, to: number, ops: Op[] = [], epoch = 'e1') =>
  ({ type: 'delta', epoch, from, to, ops, asOf: 200 }) as const
const page = (rows: object[], at = 0, pages = 1, offset = 9) =>
  ({
    type: 'snapshot',
    epoch: 'e1',
    offset,
    asOf: 300,
    now: 301,
    freshForMs: 1_000,
    page: at,
    pages,
    rows: rows as Record<string, unknown>[],
  }) as const

describe('applyDelta', () => {
  it('[LIVE-12] applies the delta that starts at its offset and moves to its end', () => {
    const ops: Op[] = [
      { op: 'upsert', key: 'a', set: { name: 'new' } },
      { op: 'remove', key: 'b' },
      { op: 'upsert', key: 'c', set: { id: 'c', name: 'c' }, whole: true },
    ]
    const applied = applyDelta(state(), delta(5, 8, ops), reader)
    expect(applied).toMatchObject({ verdict: 'applied', appliedOps: 3, state: { offset: 8, asOf: 200 } })
    expect(applied.verdict === 'applied' && [...applied.state.rows.values()]).toEqual([
      { id: 'a', name: 'new', tags: ['a'] },
      { id: 'c', name: 'c', tags: [] },
    ])
  })

  it('[LIVE-12] takes what ends at or before its offset for a duplicate', () => {
    expect(applyDelta(state(), delta(3, 5), reader)).toEqual({ verdict: 'duplicate' })
    expect(applyDelta(state(), delta(1, 2), reader)).toEqual({ verdict: 'duplicate' })
  })

  it('[LIVE-14] resyncs over a gap, an overlap, another epoch, backward offsets, an unknown row, an unreadable row', () => {
    const reason = (message: ReturnType<typeof delta>): string => {
      const applied = applyDelta(state(), message, reader)
      return applied.verdict === 'resync' ? applied.reason : applied.verdict
    }
    expect(reason(delta(6, 7))).toBe('gap')
    expect(reason(delta(4, 7))).toBe('overlap')
    expect(reason(delta(5, 6, [], 'e2'))).toBe('epoch')
    expect(reason(delta(7, 6))).toBe('unreadable')
    expect(reason(delta(5, 6, [{ op: 'upsert', key: 'z', set: { name: 'z' } }]))).toBe('unknownRow')
    expect(reason(delta(5, 6, [{ op: 'upsert', key: 'a', set: { name: 7 } }]))).toBe('unreadable')
    expect(reason(delta(5, 6, [{ op: 'upsert', key: 'a', set: { id: 'other' } }]))).toBe('unreadable')
  })

  it('[LIVE-14] leaves the table as it was when it resyncs half way', () => {
    const before = state()
    const ops: Op[] = [
      { op: 'remove', key: 'a' },
      { op: 'upsert', key: 'z', set: { name: 'z' } },
    ]
    expect(applyDelta(before, delta(5, 7, ops), reader).verdict).toBe('resync')
    expect([...before.rows.keys()]).toEqual(['a', 'b'])
  })

  it('[LIVE-6] replaces fields as a whole and removes those that are unset', () => {
    const before = state(5, [{ ...row('a'), note: 'old' }])
    const ops: Op[] = [{ op: 'upsert', key: 'a', set: { tags: [] }, unset: ['note'] }]
    const applied = applyDelta(before, delta(5, 6, ops), reader)
    expect(applied.verdict === 'applied' && applied.state.rows.get('a')).toEqual({ id: 'a', name: 'a', tags: [] })
  })

  it('[LIVE-11] replaces a row that comes whole, without a trace of the old one', () => {
    const before = state(5, [{ ...row('a'), note: 'old' }])
    const ops: Op[] = [{ op: 'upsert', key: 'a', set: { id: 'a', name: 'again' }, whole: true }]
    const applied = applyDelta(before, delta(5, 7, ops), reader)
    expect(applied.verdict === 'applied' && applied.state.rows.get('a')).toEqual({ id: 'a', name: 'again', tags: [] })
  })

  it('[LIVE-13] keeps untouched rows, untouched fields, and rows that did not change after all', () => {
    const before = state()
    const ops: Op[] = [{ op: 'upsert', key: 'a', set: { name: 'new' } }]
    const applied = applyDelta(before, delta(5, 6, ops), reader)
    const rows = applied.verdict === 'applied' ? applied.state.rows : new Map<string, Row>()
    expect(rows.get('b')).toBe(before.rows.get('b'))
    expect(rows.get('a')?.tags).toBe(before.rows.get('a')?.tags)
    const same = applyDelta(before, delta(5, 7, [{ op: 'upsert', key: 'a', set: { name: 'a' } }]), reader)
    expect(same.verdict === 'applied' && same.state.rows.get('a')).toBe(before.rows.get('a'))
  })
})

describe('applySnapshotPage', () => {
  it('[LIVE-21] collects the pages of one position in order', () => {
    const first = applySnapshotPage(null, null, page([row('a')], 0, 2), reader)
    expect(first.verdict).toBe('partial')
    const partial = first.verdict === 'partial' ? first.partial : null
    const second = applySnapshotPage(null, partial, page([row('b')], 1, 2), reader)
    expect(second).toMatchObject({ verdict: 'complete', state: { epoch: 'e1', offset: 9, asOf: 300 } })
    expect(second.verdict === 'complete' && [...second.state.rows.keys()]).toEqual(['a', 'b'])
  })

  it('[LIVE-14] resyncs when a page is missing, repeated, or of another position', () => {
    const first = applySnapshotPage(null, null, page([row('a')], 0, 3), reader)
    const partial = first.verdict === 'partial' ? first.partial : null
    for (const [at, pages, offset] of [
      [2, 3, 9],
      [1, 2, 9],
      [1, 3, 10],
    ] as const) {
      expect(applySnapshotPage(null, partial, page([], at, pages, offset), reader)).toMatchObject({ reason: 'page' })
    }
    expect(applySnapshotPage(null, null, page([], 1, 3), reader)).toMatchObject({ reason: 'page' })
  })

  it('[LIVE-13] keeps the identity of rows equal to those known before', () => {
    const known = new Map([['a', row('a')]])
    const applied = applySnapshotPage(known, null, page([row('a'), row('b')]), reader)
    expect(applied.verdict === 'complete' && applied.state.rows.get('a')).toBe(known.get('a'))
  })

  it('[LIVE-14] resyncs over an unreadable row and says which field', () => {
    const applied = applySnapshotPage(null, null, page([{ id: 'a' }]), reader)
    expect(applied).toMatchObject({ verdict: 'resync', reason: 'unreadable', detail: expect.stringContaining('name') })
  })
})
