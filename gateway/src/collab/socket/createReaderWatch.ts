// Finds sockets whose other side has stopped reading. Bytes that pile up here are noticed by the sender, but the kernel buffers
// megabytes for a stopped reader, and a pulled cable says nothing. So every socket is pinged now and then and has to answer (COLLAB-12).

import { type Clock, createTimer } from '@watchroom/shared/kernel'
import type { WebSocket } from 'ws'

export interface ReaderSettings {
  /** Sockets are looked at, and asked, this often. */
  readonly askMs: number
  /** Who lets bytes or a question lie for longer is cut. */
  readonly cutMs: number
}

export const READER_SETTINGS: ReaderSettings = { askMs: 5_000, cutMs: 15_000 }

interface Watched extends Pick<WebSocket, 'bufferedAmount' | 'readyState' | 'OPEN'> {
  ping(): void
  on(event: 'pong', listener: () => void): unknown
}

export interface ReaderWatch {
  /** `onStuck` is called once. */
  add(socket: Watched, onStuck: () => void): void
  remove(socket: Watched): void
  close(): void
}

interface Reader {
  readonly onStuck: () => void
  /** Monotonic times; null while nothing is owed. */
  unsentSince: number | null
  askedAt: number | null
}

export function createReaderWatch(deps: { clock: Clock; settings: ReaderSettings }): ReaderWatch {
  const { clock, settings } = deps
  const readers = new Map<Watched, Reader>()
  const timer = createTimer(clock)

  let lookedAt = clock.monotonic()

  const look = (): void => {
    const now = clock.monotonic()
    // While this process stood still, answers lay unread: that time is nobody's debt.
    const stoodStill = Math.max(0, now - lookedAt - settings.askMs)
    lookedAt = now
    for (const [socket, reader] of readers) {
      if (socket.readyState !== socket.OPEN) continue
      if (reader.unsentSince !== null) reader.unsentSince += stoodStill
      if (reader.askedAt !== null) reader.askedAt += stoodStill
      reader.unsentSince = socket.bufferedAmount === 0 ? null : (reader.unsentSince ?? now)
      const owesSince = Math.min(reader.unsentSince ?? now, reader.askedAt ?? now)
      if (now - owesSince >= settings.cutMs) {
        readers.delete(socket)
        reader.onStuck()
      } else if (reader.askedAt === null) {
        reader.askedAt = now
        socket.ping()
      }
    }
    timer.set(look, settings.askMs)
  }
  timer.set(look, settings.askMs)

  return {
    add: (socket, onStuck) => {
      const reader: Reader = { onStuck, unsentSince: null, askedAt: null }
      readers.set(socket, reader)
      socket.on('pong', () => {
        reader.askedAt = null
      })
    },
    remove: (socket) => readers.delete(socket),
    close: () => timer.clear(),
  }
}
