// This browser's copy of a document, with a note about what is not in the document. Storage may be forbidden or full: everything
// works without it until the page is left.

import type { PeerUser } from '@watchroom/shared/collab'
import { type Clock, createTimer, sleep } from '@watchroom/shared/kernel'

import type { DocumentLife } from './createDocumentLife.ts'
import type { RefusedTexts } from './createRefusedTexts.ts'
import { type DocumentStorage, SharedNoteSchema, type StoredDocument, StoredNoteSchema } from './documentStorage.ts'
import { newId } from './newId.ts'
import type { Seen } from './toDigest.ts'

/** A browser may take forever to open its storage; the document must not. */
const STORAGE_TIMEOUT_MS = 2_000
const NOTE_DELAY_MS = 250

export interface StoredCopy {
  readonly isOpen: () => boolean
  /** Whether it is open and writing works: a browser may run out of space. */
  readonly isKeeping: () => boolean
  /** Opens what an earlier page stored, if anything. Resolves after a few seconds at most, whatever the storage does. */
  readonly load: () => Promise<void>
  /** Loads the copy into the document and stores every further change, unless a copy is open already. */
  readonly open: (epoch: string) => Promise<void>
  readonly writeNote: () => void
  readonly writeNoteSoon: () => void
  /** Deletes the copy. */
  readonly drop: () => void
  /** Deletes the copy even if it was never opened here. */
  readonly remove: () => void
  /** Stops storing; the copy stays. */
  readonly close: () => Promise<void>
}

export interface StoredCopyDeps {
  readonly clock: Clock
  readonly storage: DocumentStorage
  readonly user: Pick<PeerUser, 'id'>
  readonly incidentId: string
  readonly life: () => DocumentLife
  readonly refused: RefusedTexts
  readonly seen: () => Seen | null
  /** Own edits and refused texts are restored. @param seen what the person had last seen; undefined when unknown */
  readonly onOpened: (seen: Seen | null | undefined) => void
  /** The result of `isKeeping` changed. */
  readonly onKeeping: () => void
}

export function createStoredCopy(deps: StoredCopyDeps): StoredCopy {
  const { clock, storage, incidentId, refused } = deps
  const userId = deps.user.id
  const noteTimer = createTimer(clock)
  /** Storage is opened, closed and dropped one after the other. */
  let work: Promise<unknown> = Promise.resolve()
  let stored: StoredDocument | null = null
  let isClosed = false
  let isRefused = false
  const tab = newId()
  /** Tabs whose edits came with the copy: this tab is responsible for them once it has written so. Tabs still open write their own. */
  let adopted: ReadonlySet<string> = new Set()

  const run = <Value>(task: () => Promise<Value>): Promise<Value | null> => {
    const result = work.then(task).catch(() => null)
    work = result
    return result
  }

  const writeNote = (): void => {
    noteTimer.clear()
    const target = stored
    if (!target) return
    const { count, since, fields } = deps.life().ledger.pending()
    const own = count === 0 ? {} : { [tab]: { count, since, fields: [...fields] } }
    const seen = deps.seen()
    void run(async () => {
      const before = SharedNoteSchema.safeParse(await target.readNote()).data ?? { pending: {}, rejected: [] }
      const others = Object.entries(before.pending).filter(([name]) => name !== tab && !adopted.has(name))
      await target.writeNote({
        pending: { ...Object.fromEntries(others), ...own },
        rejected: refused.toStore(before.rejected),
        seen,
      })
      adopted = new Set()
      return true
    }).then((isWritten) => {
      if (isRefused === !isWritten || target !== stored) return
      isRefused = !isWritten
      deps.onKeeping()
    })
  }

  const writeNoteSoon = (): void => {
    if (!noteTimer.isSet()) noteTimer.set(writeNote, NOTE_DELAY_MS)
  }

  const open = async (epoch: string): Promise<void> => {
    if (isClosed || stored) return
    const life = deps.life()
    const opened = await run(async () => {
      const document = await storage.open({ userId, incidentId, epoch }, life.doc)
      return { document, note: StoredNoteSchema.safeParse(await document.readNote()).data }
    })
    if (!opened) return
    const { document, note } = opened
    if (isClosed || stored || life !== deps.life()) {
      void run(() => document.close())
      return
    }
    stored = document
    if (note) {
      adopted = new Set(Object.keys(note.pending))
      for (const pending of Object.values(note.pending)) life.ledger.restore(pending)
      refused.restore(note.rejected)
    }
    writeNoteSoon()
    deps.onOpened(note?.seen)
  }

  return {
    isOpen: () => stored !== null,
    isKeeping: () => stored !== null && !isRefused,
    load: async () => {
      const search = run(() => storage.find(userId, incidentId)).then((epoch) =>
        epoch === null ? undefined : open(epoch),
      )
      await Promise.race([search, sleep(clock, STORAGE_TIMEOUT_MS)])
    },
    open,
    writeNote,
    writeNoteSoon,
    drop: () => {
      const former = stored
      stored = null
      if (former) void run(() => former.drop())
    },
    remove: () => void run(() => storage.remove(userId, incidentId)),
    close: async () => {
      isClosed = true
      noteTimer.clear()
      const former = stored
      if (former) await run(() => former.close())
    },
  }
}
