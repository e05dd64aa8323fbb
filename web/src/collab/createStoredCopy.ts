// The copy of a document in this browser, with a note of what is not in the document. A browser may forbid storage or be
// out of it: everything works without, until the page is left.

import { type Clock, createTimer, sleep } from '@watchroom/shared/kernel'

import type { DocumentLife } from './createDocumentLife.ts'
import type { RefusedTexts } from './createRefusedTexts.ts'
import {
  type DocumentStorage,
  type StoredDocument,
  StoredNoteSchema,
  StoredRejectionsSchema,
} from './documentStorage.ts'
import type { Seen } from './toDigest.ts'

/** A browser may take for ever to open its storage; the document must not. */
const STORAGE_TIMEOUT_MS = 2_000
const NOTE_DELAY_MS = 250

export interface StoredCopy {
  readonly isOpen: () => boolean
  /** Opens what an earlier page kept, if anything. Resolves after some seconds, whatever the storage does. */
  readonly load: () => Promise<void>
  /** Loads the copy into the document and keeps every further change of it, unless one is open already. */
  readonly open: (epoch: string) => Promise<void>
  readonly writeNote: () => void
  readonly writeNoteSoon: () => void
  /** Forgets the copy. */
  readonly drop: () => void
  /** Forgets everything of everyone. */
  readonly wipe: () => void
  /** Stops keeping; the copy stays. */
  readonly close: () => Promise<void>
}

export interface StoredCopyDeps {
  readonly clock: Clock
  readonly storage: DocumentStorage
  readonly userId: string
  readonly incidentId: string
  readonly life: () => DocumentLife
  readonly refused: RefusedTexts
  readonly seen: () => Seen | null
  /** Own edits and refused texts are where they were. @param seen what the person saw then; undefined when nothing is known */
  readonly onOpened: (seen: Seen | null | undefined) => void
}

export function createStoredCopy(deps: StoredCopyDeps): StoredCopy {
  const { clock, storage, userId, incidentId, refused } = deps
  const noteTimer = createTimer(clock)
  /** Storage is opened, closed and dropped one after the other. */
  let work: Promise<unknown> = Promise.resolve()
  let stored: StoredDocument | null = null
  let isClosed = false

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
    const own = { pending: { count, since, fields: [...fields] }, seen: deps.seen() }
    void run(async () => {
      const before = StoredRejectionsSchema.safeParse(await target.readNote())
      await target.writeNote({ ...own, rejected: refused.toStore(before.data?.rejected ?? []) })
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
      life.ledger.restore(note.pending)
      refused.restore(note.rejected)
    }
    writeNoteSoon()
    deps.onOpened(note?.seen)
  }

  return {
    isOpen: () => stored !== null,
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
    wipe: () => void run(() => storage.wipe()),
    close: async () => {
      isClosed = true
      noteTimer.clear()
      const former = stored
      if (former) await run(() => former.close())
    },
  }
}
