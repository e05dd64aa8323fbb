// When a document is saved as a whole, so that whoever opens it need not read all of its updates.

import { type Clock, createTimer } from '@watchroom/shared/kernel'
import * as Y from 'yjs'

import type { Logger } from '../../platform/logger.ts'
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

  const save = async (): Promise<void> => {
    timer.clear()
    const upTo = deps.sequence()
    if (upTo === savedUpTo) return
    takenAt = clock.monotonic()
    const state = deps.encode()
    isFull = state.byteLength > ROOM_LIMITS.documentBytes
    if (!holdsSameContent(state, deps.doc)) {
      // Never replace the log by something that does not read back: the updates stay, and someone has to look.
      logger.error({ document: name, upTo }, 'document snapshot does not read back; not saved')
      return
    }
    unsaved = { updates: 0, since: 0 }
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

/** Whether the encoded state, read afresh, says the same as the document. */
function holdsSameContent(state: Uint8Array, doc: Y.Doc): boolean {
  const copy = new Y.Doc()
  Y.applyUpdate(copy, state)
  const isSame = Y.equalSnapshots(Y.snapshot(copy), Y.snapshot(doc))
  copy.destroy()
  return isSame
}
