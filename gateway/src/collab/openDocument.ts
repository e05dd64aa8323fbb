// Opens one document: its content from the log or from its rows, a room for it, and the write-back beside it.

import { migrateDocument, schemaOf } from '@watchroom/shared/collab'
import type { Clock } from '@watchroom/shared/kernel'
import { CLOSE_CODES } from '@watchroom/shared/protocol'
import type { Pool } from 'pg'

import { CodedError } from '../platform/errors.ts'
import type { Logger } from '../platform/logger.ts'
import type { RoomPeer } from './contract.ts'
import type { DocumentKind, DocumentRows, DocumentTables } from './documentKind.ts'
import { COLLAB_ERRORS } from './errors.ts'
import type { DocumentLog } from './log/createDocumentLog.ts'
import type { Epochs } from './log/createEpochs.ts'
import type { OpenMarks } from './log/createOpenMarks.ts'
import type { References } from './room/createReferences.ts'
import { createRoom, type Room } from './room/createRoom.ts'
import { createBaseStore, toAgreements } from './write-back/createBaseStore.ts'
import { createWriteBack, type WriteBack } from './write-back/createWriteBack.ts'

/** A kind of document, with what it needs of this gateway's backend. */
export interface ServedKind {
  readonly kind: DocumentKind
  readonly tables: DocumentTables
  readonly references: References
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

export interface OpenDocumentDeps {
  readonly pool: () => Pool
  readonly log: DocumentLog
  readonly epochs: Epochs
  readonly marks: OpenMarks
  readonly clock: Clock
  readonly random: () => number
  readonly logger: Logger
  readonly onAcknowledged: (durationMs: number) => void
  readonly onRejected: (code: string, peer: RoomPeer) => void
}

/** Of one document. */
export interface OpenDocumentEvents {
  /** Its log cannot be written: it is over. */
  readonly onFailed: () => void
  readonly onSnapshot: (bytes: number, clientIds: number) => void
}

/** @throws CodedError COLLAB_DOCUMENT_NOT_FOUND, COLLAB_DOCUMENT_NEWER, COLLAB_LOG_UNAVAILABLE; BackendFailure while it must be seeded */
export async function openDocument(
  deps: OpenDocumentDeps,
  served: ServedKind,
  { name, id }: { readonly name: string; readonly id: string },
  events: OpenDocumentEvents,
): Promise<OpenDocument> {
  const { epochs, log, logger } = deps
  const { kind, references, tables } = served
  const base = createBaseStore({ pool: deps.pool, document: name, entities: kind.entities })
  const readRows = async (): Promise<DocumentRows> => {
    const rows = await tables.read(id)
    if (!rows) throw new CodedError(COLLAB_ERRORS.COLLAB_DOCUMENT_NOT_FOUND)
    return rows
  }
  const start = async (): ReturnType<Epochs['start']> => {
    const rows = await readRows()
    // What both sides agree on comes first: without it every row would look like news of ours.
    await base.save(toAgreements(rows))
    return epochs.start(kind, name, rows)
  }
  const stored = await epochs.withoutHistory(kind, name, (await log.load(name)) ?? (await start()))
  const agreed = (await base.load(id)) ?? (await readRows())
  const takeMark = await deps.marks.set(name)
  let writeBack: WriteBack | null = null
  const listeners = new Set<() => void>()
  const room = createRoom({
    ...deps,
    ...events,
    name,
    kind,
    references,
    stored,
    onChange: () => {
      writeBack?.noteChange()
      for (const listener of listeners) listener()
    },
  })
  await migrate(room, kind)
  writeBack = createWriteBack({ ...deps, name, id, kind, tables, room, base }, agreed)
  const release = kind.onOpen?.({
    id,
    view: () => room.reader.view(),
    onChange: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    write: (change) => room.writeAsServer(change),
  })
  const unmark = (): Promise<void> =>
    takeMark().catch((error: unknown) => logger.info({ err: error, document: name }, 'document still marked as open'))
  return { name, room, writeBack, release: () => release?.(), unmark }
}

/** Where two gateways do it at once, the log takes one of them. */
async function migrate(room: Room, { layout }: DocumentKind): Promise<void> {
  const schema = schemaOf(room.doc)
  if (schema > layout.version) {
    await room.close(CLOSE_CODES.draining.code, 'come back')
    throw new CodedError(COLLAB_ERRORS.COLLAB_DOCUMENT_NEWER, { values: { schema } })
  }
  if (schema < layout.version) await room.writeAsServer((doc) => migrateDocument(doc, layout))
}
