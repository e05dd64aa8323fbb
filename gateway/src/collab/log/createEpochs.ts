// Where the content of a document begins: with a seed made of its rows, or with what another epoch said, without its history.

import { randomUUID } from 'node:crypto'

import { schemaOf } from '@watchroom/shared/collab'
import * as Y from 'yjs'

import { CodedError } from '../../platform/errors.ts'
import type { Logger } from '../../platform/logger.ts'
import type { DocumentKind, DocumentRows } from '../documentKind.ts'
import { COLLAB_ERRORS } from '../errors.ts'
import { CLIENT_ID_LIMITS } from '../room/createClientIds.ts'
import type { Room } from '../room/createRoom.ts'
import { ROOM_LIMITS } from '../room/roomLimits.ts'
import type { DocumentLog, StoredDocument } from './createDocumentLog.ts'

/** When a document's history is worth dropping (COLLAB-20). */
export interface CompactionSettings {
  /** Smaller ones are left alone. */
  readonly bytes: number
  /** Encoded size by the size of what is said. */
  readonly ratio: number
  /** At this size, it is done while people have it open: soon nobody could write any more. */
  readonly urgentBytes: number
}

export const COMPACTION: CompactionSettings = {
  bytes: 512 * 1024,
  ratio: 4,
  urgentBytes: ROOM_LIMITS.documentBytes * 0.8,
}

export interface Epochs {
  /** First content: read once, written once. Whoever loses the race takes the winner's (DOC-6). */
  start(kind: DocumentKind, name: string, rows: DocumentRows): Promise<StoredDocument>
  /** The document in another epoch, when its history outweighs what it says by far, or too many pages had a part in it; otherwise as it is. */
  withoutHistory(kind: DocumentKind, name: string, stored: StoredDocument): Promise<StoredDocument>
  /** Whether a snapshot is such that the document had better continue in another epoch soon. */
  isUrgent(bytes: number, clientIds: number): boolean
  /** Whether that would help. If not, everyone would be sent away again and again. */
  isWorthIt(room: Room, clientIds: number): boolean
}

export interface EpochsDeps {
  readonly log: DocumentLog
  readonly compaction: CompactionSettings
  readonly logger: Logger
}

export function createEpochs({ log, compaction, logger }: EpochsDeps): Epochs {
  return {
    start: async (kind, name, rows) => {
      const epoch = randomUUID()
      await log.start(name, epoch, kind.seed(rows, epoch))
      const stored = await log.load(name)
      if (!stored) throw new CodedError(COLLAB_ERRORS.COLLAB_LOG_UNAVAILABLE)
      return stored
    },

    withoutHistory: async (kind, name, stored) => {
      const parts = [...(stored.snapshot ? [stored.snapshot.state] : []), ...stored.updates.map(({ update }) => update)]
      const isCrowded = stored.clients.size >= CLIENT_ID_LIMITS.crowdedAtOpening
      const isLarge = parts.reduce((sum, { byteLength }) => sum + byteLength, 0) >= compaction.bytes
      if (!isLarge && !isCrowded) return stored
      const doc = new Y.Doc()
      for (const part of parts) Y.applyUpdate(doc, part)
      try {
        // Pieces that repeat one another weigh nothing once they are one.
        const { byteLength } = Y.encodeStateAsUpdate(doc)
        const said = sizeOf(readRows(kind, doc))
        const isHistory = byteLength >= compaction.bytes && byteLength / said >= compaction.ratio
        if (!isHistory && !isCrowded) return stored
        // What this program does not know would be lost.
        if (schemaOf(doc) > kind.layout.version) return stored
        const epoch = randomUUID()
        const upTo = stored.updates.at(-1)?.sequence ?? stored.snapshot?.upTo ?? 0
        await log.replace(name, { epoch: stored.epoch, upTo }, { epoch, seed: kind.compact(doc, epoch) })
        logger.info({ document: name, byteLength, said, epoch }, 'document continued without its history')
        return (await log.load(name)) ?? stored
      } finally {
        doc.destroy()
      }
    },

    isUrgent: (bytes, clientIds) => bytes >= compaction.urgentBytes || clientIds >= CLIENT_ID_LIMITS.crowded,

    isWorthIt: ({ reader }, clientIds) =>
      compaction.urgentBytes / sizeOf(reader.rows()) >= compaction.ratio || clientIds >= CLIENT_ID_LIMITS.crowded,
  }
}

function readRows(kind: DocumentKind, doc: Y.Doc): DocumentRows {
  const reader = kind.read(doc)
  try {
    return reader.rows()
  } finally {
    reader.close()
  }
}

const sizeOf = (rows: DocumentRows): number => JSON.stringify(rows).length
