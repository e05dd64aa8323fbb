// Opens documents when someone comes, closes them when nobody is left and everything is written back.

import { parseDocumentName } from '@watchroom/shared/collab'
import { createTimer } from '@watchroom/shared/kernel'
import { CLOSE_CODES } from '@watchroom/shared/protocol'

import { CodedError } from '../platform/errors.ts'
import type { RoomPeer } from './contract.ts'
import { COLLAB_ERRORS } from './errors.ts'
import { createDocumentLog } from './log/createDocumentLog.ts'
import { type CompactionSettings, createEpochs } from './log/createEpochs.ts'
import { createOpenMarks } from './log/createOpenMarks.ts'
import { type OpenDocument, openDocument, type OpenDocumentDeps, type ServedKind } from './openDocument.ts'

/** An empty room waits this long for someone to come back. */
const EMPTY_MS = 30_000
/** After the start, and then this often, documents are looked for that were not closed in order. */
const FIRST_RESUME_MS = 3_000
const RESUME_MS = 60_000

export interface DocumentHubDeps extends Omit<OpenDocumentDeps, 'log' | 'epochs' | 'marks'> {
  /** By the first part of the names of their documents. */
  readonly kinds: ReadonlyMap<string, ServedKind>
  readonly compaction: CompactionSettings
}

export interface DocumentHub {
  /** @throws what `openDocument` throws */
  open(name: string): Promise<OpenDocument>
  join(document: OpenDocument, peer: RoomPeer): void
  leave(document: OpenDocument, peer: RoomPeer): void
  openDocuments(): ReadonlyMap<string, OpenDocument>
  /** Rows of a document may have changed, or of any when no name is given. */
  wake(name?: string): void
  /** Tells everyone to come back later, and writes everything back that the backend takes. */
  close(): Promise<void>
}

export function createDocumentHub(deps: DocumentHubDeps): DocumentHub {
  const { clock, logger } = deps
  const log = createDocumentLog({ pool: deps.pool, logger })
  const epochs = createEpochs({ ...deps, log })
  const marks = createOpenMarks(deps.pool)
  const resumeTimer = createTimer(clock)
  let isClosed = false
  const documents = new Map<string, Promise<OpenDocument>>()
  /** Those of `documents` that are loaded. */
  const live = new Map<string, OpenDocument>()
  const closing = new Map<string, () => void>()

  const load = async (name: string): Promise<OpenDocument> => {
    const parsed = parseDocumentName(name)
    const served = parsed && deps.kinds.get(parsed.kind)
    if (!served) throw new CodedError(COLLAB_ERRORS.COLLAB_DOCUMENT_NOT_FOUND)
    const document = await openDocument(
      { ...deps, log, epochs, marks },
      served,
      { name, id: parsed.id },
      {
        onFailed: () => forget(name),
        onSnapshot: (bytes, clientIds) => {
          if (epochs.isUrgent(bytes, clientIds)) renew(name, clientIds)
        },
      },
    )
    live.set(name, document)
    return document
  }

  /** Ends an open document and lets everyone come back; whoever comes first opens it again, without its history. */
  const renew = (name: string, clientIds: number): void => {
    const document = live.get(name)
    if (!document || !epochs.isWorthIt(document.room, clientIds)) return
    forget(name)
    const closed = document.room.close(CLOSE_CODES.epochChanging.code, 'epoch changing')
    const reopened = closed.then(() => load(name))
    documents.set(name, reopened)
    reopened.then(closeWhenIdle, (error: unknown) => {
      documents.delete(name)
      logger.warn({ err: error, document: name }, 'document not opened again')
    })
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
    const found = documents.get(name)
    if (found) return found
    const opened = load(name)
    documents.set(name, opened)
    // A document that could not be opened is tried afresh by the next who comes. Whoever asked for it may have left meanwhile.
    opened.then(closeWhenIdle, () => {
      if (documents.get(name) === opened) documents.delete(name)
    })
    return opened
  }

  /** Opens what was not closed in order: the last to edit it may be gone, and its rows must not wait for someone to come. */
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
      if (document.room.peers.size === 0) closeWhenIdle(document)
    },

    openDocuments: () => live,

    wake: (name) => {
      if (name !== undefined) live.get(name)?.writeBack.hear()
      else for (const { writeBack } of live.values()) writeBack.wake()
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
