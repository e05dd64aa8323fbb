import type { z } from 'zod'

import { deepEqual } from './deepEqual.ts'
import type { DeltaMessage, Op, SnapshotMessage } from './messages.ts'
import type { TopicRow } from './topic.ts'

// The reader's table: pure, no sockets, no clock. Every refusal is a verdict, and the answer to every refusal is the same:
// subscribe again for a snapshot (LIVE-14).

export interface TableState<Row extends TopicRow> {
  readonly epoch: string
  readonly offset: number
  /** Wall clock of the gateway at which the rows were true, milliseconds. */
  readonly asOf: number
  readonly rows: ReadonlyMap<string, Row>
}

/** Pages of a snapshot that is still arriving. */
export interface PartialSnapshot<Row extends TopicRow> {
  readonly epoch: string
  readonly offset: number
  readonly pages: number
  readonly nextPage: number
  readonly rows: ReadonlyMap<string, Row>
}

export type ResyncReason = 'gap' | 'epoch' | 'overlap' | 'unknownRow' | 'unreadable' | 'page'

export type Applied<Row extends TopicRow> =
  | { verdict: 'applied'; state: TableState<Row>; appliedOps: number }
  /** Already known: nothing to do (LIVE-12). */
  | { verdict: 'duplicate' }
  | { verdict: 'resync'; reason: ResyncReason; detail?: string }

export type PageApplied<Row extends TopicRow> =
  | { verdict: 'complete'; state: TableState<Row> }
  | { verdict: 'partial'; partial: PartialSnapshot<Row> }
  | { verdict: 'resync'; reason: ResyncReason; detail?: string }

export interface RowReader<Row extends TopicRow> {
  readonly schema: z.ZodType<Row>
  readonly key: keyof Row & string
}

const describe = (error: z.ZodError): string =>
  error.issues
    .slice(0, 3)
    .map((issue) => `${issue.path.join('.')}: ${issue.message}`)
    .join('; ')

/**
 * Takes the next page of a snapshot.
 * A row equal to the one known before keeps its identity, so that a resync re-renders only what really changed (LIVE-13).
 */
export function applySnapshotPage<Row extends TopicRow>(
  previous: ReadonlyMap<string, Row> | null,
  partial: PartialSnapshot<Row> | null,
  message: Omit<SnapshotMessage, 'id'>,
  reader: RowReader<Row>,
): PageApplied<Row> {
  const isFirst = message.page === 0
  const isNext =
    partial !== null &&
    partial.nextPage === message.page &&
    partial.epoch === message.epoch &&
    partial.offset === message.offset &&
    partial.pages === message.pages
  if (!isFirst && !isNext) return { verdict: 'resync', reason: 'page' }

  const rows = new Map(isFirst ? [] : partial?.rows)
  for (const raw of message.rows) {
    const parsed = reader.schema.safeParse(raw)
    if (!parsed.success) return { verdict: 'resync', reason: 'unreadable', detail: describe(parsed.error) }
    const key = String(parsed.data[reader.key])
    const known = previous?.get(key)
    rows.set(key, known && deepEqual(known, parsed.data) ? known : parsed.data)
  }
  const { epoch, offset, asOf, pages } = message
  if (message.page + 1 === pages) return { verdict: 'complete', state: { epoch, offset, asOf, rows } }
  return { verdict: 'partial', partial: { epoch, offset, pages, nextPage: message.page + 1, rows } }
}

/** Applies a delta that starts exactly where the state ends; anything else is a duplicate or a reason to resync. */
export function applyDelta<Row extends TopicRow>(
  state: TableState<Row>,
  message: Omit<DeltaMessage, 'id'>,
  reader: RowReader<Row>,
): Applied<Row> {
  if (message.epoch !== state.epoch) return { verdict: 'resync', reason: 'epoch' }
  if (message.to < message.from) return { verdict: 'resync', reason: 'unreadable', detail: 'offsets run backwards' }
  if (message.to <= state.offset && message.from < state.offset) return { verdict: 'duplicate' }
  if (message.from > state.offset) return { verdict: 'resync', reason: 'gap' }
  if (message.from < state.offset) return { verdict: 'resync', reason: 'overlap' }

  const rows = new Map(state.rows)
  for (const op of message.ops) {
    const next = applyOp(rows, op, reader)
    if (next) return { verdict: 'resync', ...next }
  }
  return {
    verdict: 'applied',
    state: { epoch: state.epoch, offset: message.to, asOf: message.asOf, rows },
    appliedOps: message.ops.length,
  }
}

function applyOp<Row extends TopicRow>(
  rows: Map<string, Row>,
  op: Op,
  reader: RowReader<Row>,
): { reason: ResyncReason; detail?: string } | null {
  if (op.op === 'remove') {
    rows.delete(op.key)
    return null
  }
  const known = rows.get(op.key)
  if (!known && !op.whole) return { reason: 'unknownRow', detail: op.key }
  const merged: TopicRow = { ...(op.whole ? {} : known), ...op.set }
  for (const field of op.unset ?? []) delete merged[field]
  const parsed = reader.schema.safeParse(merged)
  if (!parsed.success) return { reason: 'unreadable', detail: describe(parsed.error) }
  if (String(parsed.data[reader.key]) !== op.key) return { reason: 'unreadable', detail: 'key does not fit the row' }
  rows.set(op.key, known ? keepFields(known, parsed.data) : parsed.data)
  return null
}

/** What did not change keeps its identity: the row, if it is equal after all, or else its equal fields. */
function keepFields<Row extends TopicRow>(known: Row, next: Row): Row {
  if (deepEqual(known, next)) return known
  const kept: TopicRow = { ...next }
  for (const field in next) {
    if (deepEqual(known[field], next[field])) kept[field] = known[field]
  }
  return kept as Row
}
