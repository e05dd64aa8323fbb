import { setImmediate as nextTurn } from 'node:timers/promises'

import type { Clock } from '@watchroom/shared/kernel'
import { packRows, type ServerMessage, type SourceProblem, type Topic, type TopicRow } from '@watchroom/shared/protocol'

import type { Feed, SourceRead } from '../polling/contract.ts'
import { createTopicTable, type Delta, type Snapshot, type TopicTable } from './createTopicTable.ts'
import type { LiveSettings } from './settings.ts'

// One topic with one set of parameters: its table, its feed and the encoded messages that all its sockets share.

/** Raw deflate, off the main thread. */
export type Deflate = (text: string) => Promise<Uint8Array>

/** Rows compared at a stretch: about 2 ms. */
const SLICE_ROWS = 1_000

/** Encoded deltas kept: sockets are at most a few flushes apart. */
const MAX_CACHED_DELTAS = 8

/** By the id of a subscription: all that have the same get the identical message, which is encoded once. */
export type ToMessage = (id: string) => ServerMessage

export interface SharedSnapshot {
  readonly snapshot: Snapshot<TopicRow>
  readonly pages: number
  /** Rows of a page, for clients that cannot unpack. */
  readonly rows: (page: number) => readonly TopicRow[]
  readonly packed: (page: number) => Promise<ToMessage>
}

export interface SharedDelta {
  readonly delta: Delta
  readonly plain: ToMessage
  /** Null when packing is not worth it. */
  readonly packed: () => Promise<ToMessage> | null
}

export interface OpenTopic {
  readonly name: string
  readonly address: string
  /** Whose rows these are, where the backend shows people different ones; null when they are everyone's. */
  readonly owner: string | null
  readonly topic: Topic<Record<string, string>, TopicRow>
  readonly table: TopicTable<TopicRow>
  readonly freshForMs: number
  readonly problem: () => SourceProblem | null
  readonly snapshot: () => SharedSnapshot | null
  readonly delta: (from: number) => SharedDelta | null
  readonly wake: () => void
  /** Counts a subscription; the feed runs at full rate while there is one. */
  readonly watch: Feed<TopicRow>['watch']
  readonly close: () => void
}

export interface OpenTopicDeps {
  readonly owner: string | null
  readonly clock: Clock
  readonly epoch: string
  readonly settings: LiveSettings
  readonly deflate: Deflate
  readonly onRead: () => void
  readonly onProblem: () => void
}

export function createOpenTopic(
  address: string,
  topic: Topic<Record<string, string>, TopicRow>,
  feed: Feed<TopicRow>,
  deps: OpenTopicDeps,
): OpenTopic {
  const { clock, settings } = deps
  const table = createTopicTable<TopicRow>({
    key: topic.key,
    epoch: deps.epoch,
    clock,
    limits: { maxOps: settings.logOps, maxAgeMs: settings.logAgeMs },
  })
  let shared: (SharedSnapshot & { madeAt: number }) | null = null
  const deltas = new Map<number, SharedDelta>()
  let deltasAt = -1

  /** Reads that wait for a large one before them. */
  let applying: Promise<void> | null = null

  const apply = (read: SourceRead<TopicRow>): void => {
    if (read.kind === 'all') table.replace(read.rows, read.asOf)
    else table.change(read.rows, read.removed, read.asOf)
    deps.onRead()
  }

  /** Comparing 10,000 rows takes 20 ms and more; other sockets get their turn in between. */
  const applyInSlices = async (read: SourceRead<TopicRow>): Promise<void> => {
    for (let at = 0; table.position() && at < read.rows.length; at += SLICE_ROWS) {
      table.change(read.rows.slice(at, at + SLICE_ROWS), [], table.asOf())
      await nextTurn()
    }
    apply(read)
  }

  const unlisten = feed.listen({
    onRead: (read) => {
      if (!applying && read.rows.length <= SLICE_ROWS) {
        apply(read)
        return
      }
      const mine: Promise<void> = (applying ?? Promise.resolve())
        .then(() => applyInSlices(read))
        .finally(() => {
          if (applying === mine) applying = null
        })
      applying = mine
    },
    onProblem: deps.onProblem,
  })

  const pack = async (json: string): Promise<ToMessage> => {
    const data = (await deps.deflate(json)) as Uint8Array<ArrayBuffer>
    return onceAnId((id) => ({ type: 'packed', id, data }))
  }

  const share = (snapshot: Snapshot<TopicRow>): SharedSnapshot => {
    // Of equal length: a last page of a few rows would be dear, what repeats is found within a page only.
    const pages = Math.max(1, Math.round(snapshot.rows.length / settings.pageRows))
    const length = Math.ceil(snapshot.rows.length / pages)
    const rowsOf = (page: number): readonly TopicRow[] => snapshot.rows.slice(page * length, (page + 1) * length)
    const { epoch, offset, asOf } = snapshot
    const packed = new Map<number, Promise<ToMessage>>()
    return {
      snapshot,
      pages,
      rows: rowsOf,
      packed: (page) => {
        let made = packed.get(page)
        if (!made) {
          const table = packRows(rowsOf(page))
          const head = { type: 'snapshot', epoch, offset, asOf, now: clock.now(), freshForMs: feed.freshForMs }
          made = pack(JSON.stringify({ ...head, page, pages, table }))
          packed.set(page, made)
        }
        return made
      },
    }
  }

  return {
    name: topic.name,
    address,
    owner: deps.owner,
    topic,
    table,
    freshForMs: feed.freshForMs,
    problem: feed.problem,
    snapshot: () => {
      // Packing is the dear part: newcomers within a moment get the same pages, and then a delta like everyone else.
      const isUsable =
        shared !== null &&
        clock.monotonic() - shared.madeAt < settings.snapshotReuseMs &&
        table.reaches(shared.snapshot)
      if (isUsable) return shared
      const snapshot = table.snapshot()
      if (!snapshot) return null
      shared = { ...share(snapshot), madeAt: clock.monotonic() }
      return shared
    },
    delta: (from) => {
      const offset = table.position()?.offset ?? 0
      if (deltasAt !== offset || deltas.size >= MAX_CACHED_DELTAS) deltas.clear()
      deltasAt = offset
      const known = deltas.get(from)
      if (known) return known
      const delta = table.delta(from, { maxOps: settings.deltaOps, maxBytes: settings.deltaBytes })
      if (!delta) return null
      const made = {
        delta,
        plain: onceAnId((id) => ({ type: 'delta', id, ...delta, ops: [...delta.ops] })),
        packed: once(() => {
          const json = JSON.stringify({ type: 'delta', ...delta })
          return json.length < settings.packBytes ? null : pack(json)
        }),
      }
      deltas.set(from, made)
      return made
    },
    wake: feed.wake,
    watch: feed.watch,
    close: unlisten,
  }
}

function once<Value>(make: () => Value): () => Value {
  let made: { value: Value } | null = null
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

function onceAnId(make: ToMessage): ToMessage {
  const made = new Map<string, ServerMessage>()
  return (id) => {
    const message = made.get(id) ?? make(id)
    made.set(id, message)
    return message
  }
}
