import { type Clock, createTimer } from '@watchroom/shared/kernel'
import { mergeUpdates } from 'yjs'

/** What others write is on the server anyway: the browser keeps it in pieces of this long. */
const OTHERS_MS = 1_000
/** Reading so many pieces again takes a noticeable part of opening a document. */
const MAX_PIECES = 200

export interface UpdateBufferDeps {
  readonly clock: Clock
  readonly store: (update: Uint8Array) => void
  /** Makes one piece of all that are stored. */
  readonly compact: () => void
}

/**
 * Decides when changes of a document go into the browser's storage: an own one at once, since only this browser may have it,
 * those of others together. Sixty people who type would otherwise be a hundred and fifty transactions a second, and thousands
 * of pieces to be read when the page is opened again.
 */
export interface UpdateBuffer {
  add(update: Uint8Array, isOwn: boolean): void
  /** The storage is open, and so many pieces are in it. Before, changes wait. */
  start(pieces: number): void
  flush(): void
  /** What waits is not stored any more. */
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
      // In one piece with what came before it: nothing stored ever builds on something that is not.
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
