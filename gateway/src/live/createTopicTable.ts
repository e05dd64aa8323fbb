import type { Clock } from '@watchroom/shared/kernel'
import { deepEqual, type Op, type Position, type TopicRow } from '@watchroom/shared/protocol'

// Rows of one topic and the log of what changed. Pure: knows nothing of sockets, of pollers, of who may see what.
// Offsets count ops: op n leads from offset n-1 to n (LIVE-2).

export interface LogLimits {
  /** Ops kept; never fewer than the table has rows, so that one change of every row is still a delta. */
  readonly maxOps: number
  readonly maxAgeMs: number
}

/** What one delta may hold, counted before conflation; one op it always has. */
export interface DeltaLimits {
  readonly maxOps: number
  readonly maxBytes: number
}

interface Entry {
  readonly op: Op
  /** Length of the op as JSON; counted once someone asks for it. */
  length?: number
  /** Monotonic, milliseconds. */
  readonly at: number
  readonly asOf: number
}

export interface Snapshot<Row> {
  readonly epoch: string
  readonly offset: number
  readonly asOf: number
  readonly rows: readonly Row[]
}

export interface Delta {
  readonly epoch: string
  readonly from: number
  readonly to: number
  readonly ops: readonly Op[]
  readonly asOf: number
}

export interface TopicTable<Row extends TopicRow> {
  /** Null until the first rows: there is nothing to say yet. */
  readonly position: () => Position | null
  readonly asOf: () => number
  readonly size: () => number
  /** Position first, rows second: the same object until the next change (LIVE-3). */
  readonly snapshot: () => Snapshot<Row> | null
  /** The ops after `from`, newest per key, as many as the limits take; null when the log does not reach back. */
  readonly delta: (from: number, limits: DeltaLimits) => Delta | null
  /** Whether ops after the position are all still known. */
  readonly reaches: (position: Position) => boolean
  /** All rows there are. Returns the number of ops it made. */
  readonly replace: (rows: readonly Row[], asOf: number) => number
  /** Some rows, whole. */
  readonly change: (rows: readonly Row[], removed: readonly string[], asOf: number) => number
}

export function createTopicTable<Row extends TopicRow>(options: {
  readonly key: keyof Row & string
  readonly epoch: string
  readonly clock: Clock
  readonly limits: LogLimits
}): TopicTable<Row> {
  const { key, epoch, clock, limits } = options
  let rows: Map<string, Row> | null = null
  let offset = 0
  let asOf = 0
  /** Oldest first; entry i made offset `offset - log.length + i + 1`. */
  let log: Entry[] = []
  let snapshot: Snapshot<Row> | null = null

  const append = (op: Op, opAsOf: number): void => {
    offset += 1
    log.push({ op, at: clock.monotonic(), asOf: opAsOf })
  }

  const put = (table: Map<string, Row>, row: Row, rowAsOf: number): void => {
    const id = String(row[key])
    const known = table.get(id)
    if (!known) {
      table.set(id, row)
      append({ op: 'upsert', key: id, set: row, whole: true }, rowAsOf)
      return
    }
    // The newest object is kept even if it is equal: comparing it with itself later costs nothing.
    table.set(id, row)
    const changed = diffRow(known, row)
    if (changed) append({ op: 'upsert', key: id, ...changed }, rowAsOf)
  }

  const drop = (table: Map<string, Row>, id: string, dropAsOf: number): void => {
    if (table.delete(id)) append({ op: 'remove', key: id }, dropAsOf)
  }

  const trim = (): void => {
    const maxOps = Math.max(limits.maxOps, rows?.size ?? 0)
    const oldest = clock.monotonic() - limits.maxAgeMs
    let excess = Math.max(0, log.length - maxOps)
    while (excess < log.length && (log[excess]?.at ?? 0) < oldest) excess += 1
    if (excess > 0) log = log.slice(excess)
  }

  const commit = (before: number, newAsOf: number): number => {
    asOf = newAsOf
    trim()
    snapshot = null
    return offset - before
  }

  const reaches = (position: Position): boolean =>
    rows !== null && position.epoch === epoch && position.offset <= offset && position.offset >= offset - log.length

  return {
    position: () => (rows ? { epoch, offset } : null),
    asOf: () => asOf,
    size: () => rows?.size ?? 0,
    snapshot: () => {
      if (rows) snapshot ??= { epoch, offset, asOf, rows: [...rows.values()] }
      return snapshot
    },
    reaches,
    delta: (from, { maxOps, maxBytes }) => {
      if (!reaches({ epoch, offset: from })) return null
      const first = log.length - (offset - from)
      const entries = takeUpTo(log.slice(first, first + maxOps), maxBytes)
      const to = from + entries.length
      const last = entries.at(-1)
      return { epoch, from, to, ops: conflate(entries), asOf: to === offset || !last ? asOf : last.asOf }
    },
    replace: (next, newAsOf) => {
      const before = offset
      if (rows === null) {
        // The first rows are the base of the epoch, not a change of it.
        rows = new Map(next.map((row) => [String(row[key]), row]))
        return commit(before, newAsOf)
      }
      const present = new Set(next.map((row) => String(row[key])))
      for (const id of rows.keys()) if (!present.has(id)) drop(rows, id, newAsOf)
      for (const row of next) put(rows, row, newAsOf)
      return commit(before, newAsOf)
    },
    change: (changed, removed, newAsOf) => {
      // Changes of nothing known mean nothing; whoever sends them owes all rows first.
      if (rows === null) return 0
      const before = offset
      for (const id of removed) drop(rows, id, newAsOf)
      for (const row of changed) put(rows, row, newAsOf)
      return commit(before, newAsOf)
    },
  }
}

/** Fields of `next` that differ from `known`, and those that are gone; null when the rows are equal. */
export function diffRow(known: TopicRow, next: TopicRow): { set: TopicRow; unset?: string[] } | null {
  if (known === next) return null
  const set: TopicRow = {}
  const unset: string[] = []
  let hasChanged = false
  for (const field in next) {
    if (next[field] === undefined || deepEqual(known[field], next[field])) continue
    set[field] = next[field]
    hasChanged = true
  }
  for (const field in known) {
    if (known[field] !== undefined && next[field] === undefined) unset.push(field)
  }
  if (unset.length > 0) return { set, unset }
  return hasChanged ? { set } : null
}

function takeUpTo(entries: readonly Entry[], maxBytes: number): readonly Entry[] {
  let bytes = 0
  const end = entries.findIndex((entry, index) => {
    entry.length ??= JSON.stringify(entry.op).length
    bytes += entry.length
    return index > 0 && bytes > maxBytes
  })
  return end === -1 ? entries : entries.slice(0, end)
}

/** One op per key that has the effect of all of them in order (LIVE-11). */
function conflate(entries: readonly Entry[]): Op[] {
  const ops = new Map<string, Op>()
  for (const { op } of entries) {
    const earlier = ops.get(op.key)
    ops.set(op.key, earlier ? mergeOps(earlier, op) : op)
  }
  return [...ops.values()]
}

export function mergeOps(earlier: Op, later: Op): Op {
  if (later.op === 'remove' || later.whole) return later
  // An upsert of part of a row that was just removed cannot be: it is made only against a known row.
  if (earlier.op === 'remove') return later
  const set = { ...earlier.set, ...later.set }
  const gone = later.unset ?? []
  for (const field of gone) delete set[field]
  if (earlier.whole) return { op: 'upsert', key: later.key, set, whole: true }
  const unset = [...new Set([...(earlier.unset ?? []), ...gone])].filter((field) => !(field in set))
  return { op: 'upsert', key: later.key, set, ...(unset.length > 0 ? { unset } : {}) }
}
