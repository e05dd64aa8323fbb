// When a document is saved as a whole, so that whoever opens it need not read all of its updates.

import { setImmediate as nextTurn } from 'node:timers/promises'

import { type Clock, createTimer } from '@watchroom/shared/kernel'
import * as Y from 'yjs'

import type { Logger } from '../../platform/logger.ts'
import type { DocumentKind, DocumentRows } from '../documentKind.ts'
import type { DocumentLog } from '../log/createDocumentLog.ts'
import { ROOM_LIMITS } from './roomLimits.ts'

/** A snapshot after this many updates, after this long without one, or this long after the first update not in one. */
const SNAPSHOT_UPDATES = 200
const SNAPSHOT_IDLE_MS = 3_000
const SNAPSHOT_MAX_MS = 15_000
/**
 * Between two of them, as one of a large document holds the event loop for some tens of milliseconds: sixty people who type make
 * 200 updates in little more than a second. So many updates that reading them again takes longer do not wait.
 */
const SNAPSHOT_GAP_MS = 5_000
const SNAPSHOT_URGENT_UPDATES = 2_000

export interface Snapshots {
  /** Another update is durable. */
  noteUpdate(): void
  /** Saves one now, when there are updates that none holds. */
  save(): Promise<void>
  /** The document has outgrown its bound. */
  isFull(): boolean
  stop(): void
}

export interface SnapshotsDeps {
  readonly name: string
  readonly epoch: string
  readonly log: DocumentLog
  readonly clock: Clock
  readonly logger: Logger
  readonly doc: Y.Doc
  readonly kind: Pick<DocumentKind, 'read'>
  /** What `doc` says. */
  readonly rows: () => DocumentRows
  /** All of `doc`. */
  readonly encode: () => Uint8Array
  /** Of the newest update in `doc`. */
  readonly sequence: () => number
  /** Of the newest update in a snapshot, at the start. */
  readonly savedUpTo: number
  readonly onSaved: (bytes: number) => void
}

export function createSnapshots(deps: SnapshotsDeps): Snapshots {
  const { name, epoch, log, clock, logger } = deps
  const timer = createTimer(clock)
  let unsaved = { updates: 0, since: 0 }
  let savedUpTo = deps.savedUpTo
  let takenAt = -Infinity
  let isFull = false

  /** Nothing that does not read back ever replaces the log: the updates stay, and someone has to look. */
  const readsBack = async (state: Uint8Array, upTo: number): Promise<boolean> => {
    let failure: unknown
    try {
      if (await holdsSameContent(state, deps)) return true
    } catch (error) {
      failure = error
    }
    logger.error({ err: failure, document: name, upTo }, 'document snapshot does not read back; not saved')
    return false
  }

  const save = async (): Promise<void> => {
    timer.clear()
    const upTo = deps.sequence()
    if (upTo === savedUpTo) return
    takenAt = clock.monotonic()
    unsaved = { updates: 0, since: 0 }
    const state = deps.encode()
    isFull = state.byteLength > ROOM_LIMITS.documentBytes
    if (!(await readsBack(state, upTo))) return
    try {
      await log.saveSnapshot(name, epoch, upTo, state)
      savedUpTo = Math.max(savedUpTo, upTo)
      deps.onSaved(state.byteLength)
    } catch (error) {
      // The log still holds everything; the next change tries again.
      logger.warn({ err: error, document: name }, 'document snapshot not saved')
    }
  }

  return {
    noteUpdate: () => {
      const now = clock.monotonic()
      if (unsaved.updates === 0) unsaved.since = now
      unsaved.updates += 1
      const isDue = unsaved.updates >= SNAPSHOT_UPDATES || now - unsaved.since >= SNAPSHOT_MAX_MS
      const gapMs = unsaved.updates >= SNAPSHOT_URGENT_UPDATES ? 0 : Math.max(0, takenAt + SNAPSHOT_GAP_MS - now)
      timer.set(() => void save(), isDue ? gapMs : SNAPSHOT_IDLE_MS)
    },
    save,
    isFull: () => isFull,
    stop: () => timer.clear(),
  }
}

/**
 * Whether the encoded state, read afresh, has the same history as the document and says the same. Of a large document that takes
 * long, hence in turns; what the document is compared by is taken in the first.
 */
async function holdsSameContent(state: Uint8Array, { doc, kind, rows }: SnapshotsDeps): Promise<boolean> {
  const history = Y.snapshot(doc)
  const said = rows()
  await nextTurn()
  const copy = new Y.Doc()
  Y.applyUpdate(copy, state)
  const hasSameHistory = Y.equalSnapshots(Y.snapshot(copy), history)
  await nextTurn()
  const reader = kind.read(copy)
  const read = reader.rows()
  reader.close()
  copy.destroy()
  await nextTurn()
  return hasSameHistory && hasSameRows(read, said)
}

/** As the backend would get them, in whatever order they come. */
function hasSameRows(some: DocumentRows, others: DocumentRows): boolean {
  return Object.entries(some).every(([entity, rows]) => {
    const byId = new Map(others[entity]?.map((row) => [row.id, row]))
    return rows.length === byId.size && rows.every((row) => JSON.stringify(row) === JSON.stringify(byId.get(row.id)))
  })
}
