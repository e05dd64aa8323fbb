// Opens documents when someone comes, closes them when nobody is left and everything is written back.

import { parseDocumentName } from '@watchroom/shared/collab'
import { type Clock, createTimer, waitAtMost } from '@watchroom/shared/kernel'
import { CLOSE_CODES } from '@watchroom/shared/protocol'

import { CodedError } from '../platform/errors.ts'
import type { Logger } from '../platform/logger.ts'
import type { RoomPeer } from './contract.ts'
import { COLLAB_ERRORS } from './errors.ts'
import { createDocumentLog, type DocumentLog } from './log/createDocumentLog.ts'
import { type CompactionSettings, createEpochs } from './log/createEpochs.ts'
import { createOpenMarks, type OpenMarks } from './log/createOpenMarks.ts'
import { type OpenDocument, openDocument, type OpenDocumentDeps, type ServedKind } from './openDocument.ts'
import type { Unsaved } from './write-back/createWriteBack.ts'

/** An empty room waits this long for someone to come back. */
const EMPTY_MS = 30_000
/** One in which nothing was written: a reload takes about 2 s, and whoever only looks through many leaves one after the other. */
const UNTOUCHED_MS = 5_000
/** Held in memory at once; each may take some megabytes. */
const MAX_DOCUMENTS = 500
/** After the start, and then this often, documents are looked for that were not closed in order. */
const FIRST_RESUME_MS = 3_000
const RESUME_MS = 60_000
/** What the backend does not take within this is written by the next gateway (COLLAB-23). The process ends within 10 s. */
const DRAIN_MS = 5_000

export interface DocumentHubDeps extends Omit<OpenDocumentDeps, 'log' | 'epochs' | 'marks'> {
  /** By the first part of the names of their documents. */
  readonly kinds: ReadonlyMap<string, ServedKind>
  readonly compaction: CompactionSettings
  /** Held in memory at once. */
  readonly maxDocuments?: number
}

export interface DocumentHub {
  /** @throws what `openDocument` throws; CodedError COLLAB_NO_ROOM */
  open(name: string): Promise<OpenDocument>
  /** It is open, or being opened: whoever comes costs little. */
  isOpen(name: string): boolean
  join(document: OpenDocument, peer: RoomPeer): void
  leave(document: OpenDocument, peer: RoomPeer): void
  openDocuments(): ReadonlyMap<string, OpenDocument>
  /** What the rows of all open documents lack, and since when the one that has waited longest. */
  unsaved(): Unsaved
  /** Rows of a document may have changed, or of any when no name is given. */
  wake(name?: string): void
  /** Tells everyone to come back later, and writes back what the backend takes within 5 s. */
  close(): Promise<void>
}

export function createDocumentHub(deps: DocumentHubDeps): DocumentHub {
  const { clock, logger, maxDocuments = MAX_DOCUMENTS } = deps
  const log = createDocumentLog({ pool: deps.pool, logger })
  const epochs = createEpochs({ ...deps, log })
  const marks = createOpenMarks(deps.pool)
  let closed: Promise<void> | null = null
  const documents = new Map<string, Promise<OpenDocument>>()
  /** Those of `documents` that are loaded. */
  const live = new Map<string, OpenDocument>()
  /** Those that nobody has come back to for the longest time first. */
  const closing = new Map<string, () => void>()
  /** Where the log of each was when it was opened. */
  const openedAt = new WeakMap<OpenDocument, number>()

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
    openedAt.set(document, document.room.sequence())
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
    closing.delete(name)
    const isUntouched = document.room.sequence() === openedAt.get(document)
    closing.set(
      name,
      clock.schedule(
        () => {
          closing.delete(name)
          if (!closeIfOver(document) && document.room.peers.size === 0) closeWhenIdle(document)
        },
        isUntouched ? UNTOUCHED_MS : EMPTY_MS,
      ),
    )
  }

  /** @returns whether nobody is in it and its rows hold everything: then it is closed now */
  const closeIfOver = (document: OpenDocument): boolean => {
    const { name, room, writeBack, unmark } = document
    if (room.peers.size > 0 || !writeBack.isIdle()) return false
    forget(name)
    void room.close(CLOSE_CODES.draining.code, 'come back').then(unmark)
    return true
  }

  /** Whoever comes goes before whom nobody has come back to. */
  const hasRoom = (): boolean => {
    if (documents.size < maxDocuments) return true
    for (const name of closing.keys()) {
      const document = live.get(name)
      if (document && closeIfOver(document)) return true
    }
    return false
  }

  const open = (name: string): Promise<OpenDocument> => {
    const found = documents.get(name)
    if (found) return found
    // Nothing is opened once all documents are being closed: it would be loaded and marked, and nobody would close it.
    if (closed !== null || !hasRoom()) return Promise.reject(new CodedError(COLLAB_ERRORS.COLLAB_NO_ROOM))
    const opened = load(name)
    documents.set(name, opened)
    // A document that could not be opened is tried afresh by the next who comes. Whoever asked for it may have left meanwhile.
    opened.then(closeWhenIdle, () => {
      if (documents.get(name) === opened) documents.delete(name)
    })
    return opened
  }

  const resuming = createResumption({ clock, logger, marks, open })

  const endAll = (): Promise<void> => {
    const opened = [...documents.values()]
    documents.clear()
    live.clear()
    return endDocuments(opened, { clock, log, logger })
  }

  return {
    open,
    isOpen: (name) => documents.has(name),

    join: ({ room, writeBack }, peer) => {
      room.join(peer)
      peer.send(writeBack.savedFrame())
    },

    leave: (document, peer) => {
      document.room.leave(peer)
      if (document.room.peers.size === 0) closeWhenIdle(document)
    },

    openDocuments: () => live,

    unsaved: () => toSum(Array.from(live.values(), ({ writeBack }) => writeBack.unsaved())),

    wake: (name) => {
      if (name !== undefined) live.get(name)?.writeBack.hear()
      else for (const { writeBack } of live.values()) writeBack.wake()
    },

    close: async () => {
      resuming.stop()
      for (const cancel of closing.values()) cancel()
      closed ??= endAll()
      await closed
    },
  }
}

function toSum(all: readonly Unsaved[]): Unsaved {
  const since = all.flatMap((each) => each.since ?? [])
  return {
    rows: all.reduce((sum, { rows }) => sum + rows, 0),
    since: since.length === 0 ? null : Math.min(...since),
    refused: all.reduce((sum, { refused }) => sum + refused, 0),
  }
}

/** Opens what was not closed in order: the last to edit it may be gone, and its rows must not wait for someone to come. */
function createResumption(deps: {
  readonly clock: Clock
  readonly logger: Logger
  readonly marks: OpenMarks
  readonly open: (name: string) => Promise<unknown>
}): { readonly stop: () => void } {
  const { clock, logger, marks } = deps
  const timer = createTimer(clock)
  let isStopped = false

  const resume = async (): Promise<void> => {
    const names = await marks.list().catch((error: unknown) => {
      // The database comes up beside the gateway, usually a little later.
      logger.debug({ err: error }, 'documents that were not closed in order not found yet')
      return null
    })
    for (const name of names ?? []) {
      if (isStopped) return
      try {
        await deps.open(name)
      } catch (error) {
        logger.info({ err: error, document: name }, 'document that was not closed in order not opened yet')
      }
    }
    if (!isStopped) timer.set(() => void resume(), names === null ? FIRST_RESUME_MS : RESUME_MS)
  }
  timer.set(() => void resume(), FIRST_RESUME_MS)

  return {
    stop: () => {
      isStopped = true
      timer.clear()
    },
  }
}

/** All at once: a backend or database that is slow for one document must not keep the people of others waiting. */
async function endDocuments(
  opened: readonly Promise<OpenDocument>[],
  deps: { readonly clock: Clock; readonly log: DocumentLog; readonly logger: Logger },
): Promise<void> {
  let isOver = false
  const ended = Promise.allSettled(opened.map((document) => document.then(endDocument)))
    .then(() => deps.log.close())
    .then(() => {
      isOver = true
    })
  await waitAtMost(deps.clock, ended, DRAIN_MS)
  if (isOver) return
  deps.logger.warn('documents are left to the next gateway: not everything was written back in time')
  for (const document of opened) {
    document.then(
      ({ writeBack }) => writeBack.close(),
      () => undefined,
    )
  }
}

async function endDocument({ room, writeBack, release, unmark }: OpenDocument): Promise<void> {
  release()
  await room.close(CLOSE_CODES.draining.code, 'come back')
  if (!writeBack.isIdle()) await writeBack.flush()
  if (writeBack.isIdle()) await unmark()
  writeBack.close()
}
