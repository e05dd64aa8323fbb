import { type Clock, createTimer } from '@watchroom/shared/kernel'
import { mergeUpdates } from 'yjs'

/** What others write is on the server anyway: the browser stores it in pieces of this length. */
const OTHERS_MS = 1_000
/** Reading more pieces would noticeably slow down opening a document. */
const MAX_PIECES = 200

export interface UpdateBufferDeps {
  readonly clock: Clock
  readonly store: (update: Uint8Array) => void
  /** Merges all stored pieces into one. */
  readonly compact: () => void
}

/**
 * Decides when changes to a document go into the browser's storage: own ones at once, since only this browser may have them,
 * those of others together. Otherwise sixty people typing would cause a hundred and fifty transactions a second, and thousands
 * of pieces to read when the page is opened again.
 */
export interface UpdateBuffer {
  add(update: Uint8Array, isOwn: boolean): void
  /** The storage is open and contains this many pieces. Until then, changes wait. */
  start(pieces: number): void
  flush(): void
  /** Drops what is waiting. */
  close(): void
}

export function createUpdateBuffer(deps: UpdateBufferDeps): UpdateBuffer {
  const timer = createTimer(deps.clock)
  let waiting: Uint8Array[] = []
  let pieces: number | null = null
  let isClosed = false

  const flush = (): void => {
    if (pieces === null || isClosed) return
    timer.clear()
    if (waiting.length > 0) {
      // Together with everything before it: nothing stored may build on something that is not.
      deps.store(waiting.length === 1 && waiting[0] ? waiting[0] : mergeUpdates(waiting))
      waiting = []
      pieces += 1
    }
    if (pieces < MAX_PIECES) return
    pieces = 0
    deps.compact()
  }

  return {
    add: (update, isOwn) => {
      if (isClosed) return
      waiting.push(update)
      if (isOwn) flush()
      else if (!timer.isSet()) timer.set(flush, OTHERS_MS)
    },
    start: (count) => {
      pieces = count
      flush()
    },
    flush,
    close: () => {
      isClosed = true
      timer.clear()
      waiting = []
    },
  }
}
