// Opens documents when somebody comes, closes them when nobody is left and everything is written back.

import { randomUUID } from 'node:crypto'

import {
  compactIncident,
  type DocumentLayout,
  migrateIncident,
  parseDocumentName,
  projectIncident,
  schemaOf,
  seedIncident,
  watchChange,
  writeVerdict,
} from '@watchroom/shared/collab'
import { type Clock, createTimer } from '@watchroom/shared/kernel'
import { CLOSE_CODES } from '@watchroom/shared/protocol'
import type { Pool } from 'pg'
import * as Y from 'yjs'

import { CodedError } from '../platform/errors.ts'
import type { Logger } from '../platform/logger.ts'
import type { OpenIncident, RoomPeer } from './contract.ts'
import { createBaseStore, toBaseChanges } from './createBaseStore.ts'
import { CLIENT_ID_LIMITS } from './createClientIds.ts'
import { createDocumentLog, type DocumentLog, type StoredDocument } from './createDocumentLog.ts'
import { createOpenMarks } from './createOpenMarks.ts'
import type { References } from './createReferences.ts'
import { createRoom, type Room, ROOM_LIMITS } from './createRoom.ts'
import { createWriteBack, type WriteBack } from './createWriteBack.ts'
import { COLLAB_ERRORS } from './errors.ts'
import type { IncidentTables } from './incidentTables.ts'

/** An empty room waits this long for somebody to come back. */
const EMPTY_MS = 30_000
/** After the start, and then this often, documents are looked for that were not closed in order. */
const FIRST_RESUME_MS = 3_000
const RESUME_MS = 60_000

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

export interface DocumentHubDeps {
  readonly pool: () => Pool
  readonly tables: IncidentTables
  readonly references?: References
  readonly clock: Clock
  readonly random: () => number
  readonly logger: Logger
  readonly compaction: CompactionSettings
  readonly layout: DocumentLayout
  readonly onAcknowledged?: (durationMs: number) => void
  readonly onRejected?: (code: string, peer: RoomPeer) => void
  readonly onOpen?: ((incident: OpenIncident) => () => void) | undefined
}

export interface OpenDocument {
  readonly name: string
  readonly room: Room
  readonly writeBack: WriteBack
  /** Whoever acts on the document besides its peers lets go of it. */
  readonly release: () => void
  /** The rows hold all of it: nobody need open it again on their account. */
  readonly unmark: () => Promise<void>
}

export interface DocumentHub {
  /** @throws CodedError COLLAB_DOCUMENT_NOT_FOUND, COLLAB_LOG_UNAVAILABLE; BackendFailure while it must be seeded */
  open(name: string): Promise<OpenDocument>
  join(document: OpenDocument, peer: RoomPeer): void
  leave(document: OpenDocument, peer: RoomPeer): void
  openDocuments(): ReadonlyMap<string, OpenDocument>
  /** Rows of an incident may have changed, or of any when no id is given. */
  wake(incidentId?: string): void
  /** Tells everybody to come back later, and writes everything back that the backend takes. */
  close(): Promise<void>
}

export function createDocumentHub(deps: DocumentHubDeps): DocumentHub {
  const { clock, logger } = deps
  const log = createDocumentLog({ pool: deps.pool, logger })
  const marks = createOpenMarks(deps.pool)
  const resumeTimer = createTimer(clock)
  let isClosed = false
  const documents = new Map<string, Promise<OpenDocument>>()
  /** Those of `documents` that are loaded. */
  const live = new Map<string, OpenDocument>()
  const closing = new Map<string, () => void>()

  const load = async (name: string, incidentId: string): Promise<OpenDocument> => {
    const base = createBaseStore({ pool: deps.pool, document: name })
    const found = (await log.load(name)) ?? (await seed(log, name, incidentId, base))
    const stored = await withoutHistory(name, found)
    const agreed = (await base.load(incidentId)) ?? (await readRows(incidentId))
    const takeMark = await marks.set(name)
    let writeBack: WriteBack | null = null
    const listeners = new Set<() => void>()
    const room = createRoom({
      name,
      stored,
      log,
      clock,
      logger,
      watchChange,
      onChange: () => {
        writeBack?.noteChange()
        for (const listener of listeners) listener()
      },
      onFailed: () => forget(name),
      onSnapshot: (bytes, clientIds) => {
        if (bytes >= deps.compaction.urgentBytes || clientIds >= CLIENT_ID_LIMITS.crowded) void renew(name, clientIds)
      },
      ...(deps.references ? { references: deps.references } : {}),
      ...(deps.onAcknowledged ? { onAcknowledged: deps.onAcknowledged } : {}),
      ...(deps.onRejected ? { onRejected: deps.onRejected } : {}),
    })
    const schema = schemaOf(room.doc)
    if (schema > deps.layout.version) {
      await room.close(CLOSE_CODES.draining.code, 'come back')
      throw new CodedError(COLLAB_ERRORS.COLLAB_DOCUMENT_NEWER, { values: { schema } })
    }
    // Where two gateways do it at once, the log takes one of them.
    if (schema < deps.layout.version) await room.writeAsServer((doc) => migrateIncident(doc, deps.layout))
    writeBack = createWriteBack({ ...deps, room, incidentId, base }, agreed)
    const release = deps.onOpen?.({
      id: incidentId,
      view: () => room.view(),
      onChange: (listener) => {
        listeners.add(listener)
        return () => listeners.delete(listener)
      },
      setDone: (evidenceId, done) =>
        room.writeAsServer((doc) => writeVerdict(doc, evidenceId, { done, at: new Date(clock.now()).toISOString() })),
    })
    const unmark = (): Promise<void> =>
      takeMark().catch((error: unknown) => logger.info({ err: error, document: name }, 'document still marked as open'))
    const document = { name, room, writeBack, release: () => release?.(), unmark }
    live.set(name, document)
    return document
  }

  /** First content: read once, written once. Whoever loses the race takes the winner's (DOC-6). */
  const seed = async (
    documentLog: DocumentLog,
    name: string,
    incidentId: string,
    base: ReturnType<typeof createBaseStore>,
  ): Promise<StoredDocument> => {
    const rows = await readRows(incidentId)
    const epoch = randomUUID()
    // What both sides agree on comes first: without it every row would look like news of ours.
    await base.save(toBaseChanges(rows))
    await documentLog.start(name, epoch, seedIncident(rows, epoch))
    const stored = await documentLog.load(name)
    if (!stored) throw new CodedError(COLLAB_ERRORS.COLLAB_LOG_UNAVAILABLE)
    return stored
  }

  /** The document in another epoch, when its history outweighs what it says by far, or too many pages had a part in it; otherwise as it is. */
  const withoutHistory = async (name: string, stored: StoredDocument): Promise<StoredDocument> => {
    const parts = [...(stored.snapshot ? [stored.snapshot.state] : []), ...stored.updates.map(({ update }) => update)]
    const isCrowded = stored.clients.size >= CLIENT_ID_LIMITS.crowdedAtOpening
    const isLarge = parts.reduce((sum, { byteLength }) => sum + byteLength, 0) >= deps.compaction.bytes
    if (!isLarge && !isCrowded) return stored
    const doc = new Y.Doc()
    for (const part of parts) Y.applyUpdate(doc, part)
    try {
      // Pieces that repeat one another weigh nothing once they are one.
      const { byteLength } = Y.encodeStateAsUpdate(doc)
      const said = JSON.stringify(projectIncident(doc)).length
      const isHistory = byteLength >= deps.compaction.bytes && byteLength / said >= deps.compaction.ratio
      if (!isHistory && !isCrowded) return stored
      // What this program does not know would be lost.
      if (schemaOf(doc) > deps.layout.version) return stored
      const epoch = randomUUID()
      const upTo = stored.updates.at(-1)?.sequence ?? stored.snapshot?.upTo ?? 0
      await log.replace(name, { epoch: stored.epoch, upTo }, { epoch, seed: compactIncident(doc, epoch) })
      logger.info({ document: name, byteLength, said, epoch }, 'document continued without its history')
      return (await log.load(name)) ?? stored
    } finally {
      doc.destroy()
    }
  }

  /** Ends an open document and lets everybody come back; whoever comes first opens it again, without its history. */
  const renew = async (name: string, clientIds: number): Promise<void> => {
    const document = live.get(name)
    if (!document) return
    const said = JSON.stringify(projectIncident(document.room.doc, document.room.view())).length
    // Nothing would be gained, and everybody would be sent away again and again.
    if (deps.compaction.urgentBytes / said < deps.compaction.ratio && clientIds < CLIENT_ID_LIMITS.crowded) return
    forget(name)
    const closed = document.room.close(CLOSE_CODES.epochChanging.code, 'epoch changing')
    const reopened = closed.then(() => load(name, parseDocumentName(name)?.id ?? ''))
    documents.set(name, reopened)
    reopened.then(closeWhenIdle, (error: unknown) => {
      documents.delete(name)
      logger.warn({ err: error, document: name }, 'document not opened again')
    })
  }

  const readRows = async (incidentId: string) => {
    const rows = await deps.tables.read(incidentId)
    if (!rows) throw new CodedError(COLLAB_ERRORS.COLLAB_DOCUMENT_NOT_FOUND)
    return rows
  }

  const forget = (name: string): void => {
    closing.get(name)?.()
    closing.delete(name)
    documents.delete(name)
    live.get(name)?.writeBack.close()
    live.get(name)?.release()
    live.delete(name)
  }

  const closeWhenIdle = (document: OpenDocument): void => {
    const { name } = document
    // One that failed or was renewed is over already.
    if (live.get(name) !== document) return
    closing.get(name)?.()
    closing.set(
      name,
      clock.schedule(() => {
        closing.delete(name)
        if (document.room.peers.size > 0) return
        if (!document.writeBack.isIdle()) return closeWhenIdle(document)
        forget(name)
        void document.room.close(CLOSE_CODES.draining.code, 'come back').then(document.unmark)
      }, EMPTY_MS),
    )
  }

  const open = (name: string): Promise<OpenDocument> => {
    const parsed = parseDocumentName(name)
    if (!parsed) return Promise.reject(new CodedError(COLLAB_ERRORS.COLLAB_DOCUMENT_NOT_FOUND))
    const found = documents.get(name)
    if (found) return found
    const opened = load(name, parsed.id)
    documents.set(name, opened)
    // A document that could not be opened is tried afresh by the next who comes. Whoever asked for it may have left meanwhile.
    opened.then(closeWhenIdle, () => {
      if (documents.get(name) === opened) documents.delete(name)
    })
    return opened
  }

  /** Opens what was not closed in order: the last to edit it may be gone, and its rows must not wait for somebody to come. */
  const resume = async (): Promise<void> => {
    const names = await marks.list().catch((error: unknown) => {
      // The database comes up beside the gateway, usually a little later.
      logger.debug({ err: error }, 'documents that were not closed in order not found yet')
      return null
    })
    for (const name of names ?? []) {
      if (isClosed) return
      try {
        await open(name)
      } catch (error) {
        logger.info({ err: error, document: name }, 'document that was not closed in order not opened yet')
      }
    }
    if (!isClosed) resumeTimer.set(() => void resume(), names === null ? FIRST_RESUME_MS : RESUME_MS)
  }
  resumeTimer.set(() => void resume(), FIRST_RESUME_MS)

  return {
    open,

    join: ({ room, writeBack }, peer) => {
      room.join(peer)
      peer.send(writeBack.savedFrame())
    },

    leave: (document, peer) => {
      document.room.leave(peer)
      if (document.room.peers.size > 0) return
      closeWhenIdle(document)
    },

    openDocuments: () => live,

    wake: (incidentId) => {
      for (const [name, { writeBack }] of live) {
        if (incidentId === undefined) writeBack.wake()
        else if (parseDocumentName(name)?.id === incidentId) writeBack.hear()
      }
    },

    close: async () => {
      isClosed = true
      resumeTimer.clear()
      for (const cancel of closing.values()) cancel()
      const opened = await Promise.allSettled(documents.values())
      documents.clear()
      live.clear()
      for (const document of opened) {
        if (document.status === 'rejected') continue
        const { room, writeBack, release, unmark } = document.value
        release()
        await room.close(CLOSE_CODES.draining.code, 'come back')
        await writeBack.flush()
        if (writeBack.isIdle()) await unmark()
        writeBack.close()
      }
      await log.close()
    },
  }
}
