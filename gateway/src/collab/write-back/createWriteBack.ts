// Keeps the backend's rows equal to one document, and the document equal to what others write into the rows (COLLAB-5,
// COLLAB-14). What still has to be written is always the difference between the document and the rows both sides last agreed
// on: nothing is queued that a crash could lose, and a repeated write meets its own row.

import { encodeOwnFrame } from '@watchroom/shared/collab'
import type { Clock } from '@watchroom/shared/kernel'

import type { Logger } from '../../platform/logger.ts'
import type { DocumentKind, DocumentRows, DocumentTables } from '../documentKind.ts'
import type { Room } from '../room/createRoom.ts'
import { createAgreedRows } from './createAgreedRows.ts'
import type { BaseStore } from './createBaseStore.ts'
import { createDeferredWrites } from './createDeferredWrites.ts'
import { createEchoes } from './createEchoes.ts'
import { createPendingWrites } from './createPendingWrites.ts'
import { createRowMerger } from './createRowMerger.ts'
import { createRowWriter } from './createRowWriter.ts'

export interface WriteBackDeps {
  /** Name of the document, and id of what it is about. */
  readonly name: string
  readonly id: string
  readonly kind: DocumentKind
  readonly room: Pick<Room, 'reader' | 'sequence' | 'authors' | 'writeAsServer' | 'broadcast'>
  readonly tables: DocumentTables
  readonly base: BaseStore
  readonly clock: Clock
  /** In [0, 1). */
  readonly random: () => number
  readonly logger: Logger
}

/** What the rows of a document lack. */
export interface Unsaved {
  /** That wait to be written. */
  readonly rows: number
  /** Monotonic time since when; null when none waits. */
  readonly since: number | null
  /** That the backend refused: they wait for another write, or for rows of others. */
  readonly refused: number
}

export interface WriteBack {
  /** The document changed. */
  noteChange(): void
  /** Someone may have written rows. */
  wake(): void
  /** The database announced one transaction on rows of this document: our own write, or news. */
  hear(): void
  /** Nothing is left to write and nothing is on its way. */
  isIdle(): boolean
  /** Writes what is due now, once; resolves when that is done or has failed. */
  flush(): Promise<void>
  /** How far the backend holds the document, for someone who joins. */
  savedFrame(): Uint8Array
  unsaved(): Unsaved
  close(): void
}

/** @param start rows that both sides last agreed on */
export function createWriteBack(deps: WriteBackDeps, start: DocumentRows): WriteBack {
  const { room, clock, logger } = deps
  /** One thing at a time: a read that overlaps a write would take our own write for news. */
  let work: Promise<void> = Promise.resolve()
  const run = (task: () => Promise<void>): Promise<void> => {
    work = work
      .then(task)
      .catch((error: unknown) => logger.error({ err: error, document: deps.name }, 'write-back failed unexpectedly'))
    return work
  }

  const agreed = createAgreedRows(deps.base, start)
  const deferred = createDeferredWrites({ clock, random: deps.random })
  const echoes = createEchoes(clock)
  const pendingWrites = createPendingWrites({ ...deps, reader: room.reader, agreed, deferred })
  const savedFrame = (): Uint8Array =>
    encodeOwnFrame({
      type: 'saved',
      value: { sequence: writer.savedUpTo(), latest: room.sequence(), problems: pendingWrites.problems() },
    })
  const writer = createRowWriter({
    ...deps,
    agreed,
    pendingWrites,
    deferred,
    echoes,
    run,
    onRowMissing: () => merger.look(),
    onProgress: () => room.broadcast(savedFrame()),
  })
  const merger = createRowMerger({
    ...deps,
    agreed,
    run,
    // Other rows than those it was refused for: worth asking again.
    onMerged: () => pendingWrites.forgetRefusals(),
    onLooked: () => writer.continueWriting(),
  })
  // After a restart the rows may be ahead of what is known to be agreed on: looking comes before writing.
  merger.look()

  return {
    noteChange: () => writer.noteChange(),
    wake: () => merger.look(),
    hear: () => {
      if (!echoes.take()) merger.look()
    },
    isIdle: () => writer.isIdle(),
    flush: () => run(() => writer.writeAll()),
    savedFrame,
    unsaved: () => {
      const rows = pendingWrites.list().length
      return { rows, since: rows === 0 ? null : writer.unsavedSince(), refused: pendingWrites.refusals() }
    },
    close: () => {
      writer.close()
      merger.close()
    },
  }
}
