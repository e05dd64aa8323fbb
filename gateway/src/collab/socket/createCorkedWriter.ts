import type { Socket } from 'node:net'

export interface CorkedWriter {
  /** What is written from now on goes out with the rest of this turn of the event loop. */
  cork(): void
  /** Not at its end, but now. */
  flush(): void
}

/** Frames of one turn go out in one write: a system call for each costs more than everything else about them. */
export function createCorkedWriter(socket: Socket): CorkedWriter {
  let isCorked = false
  const flush = (): void => {
    if (!isCorked) return
    isCorked = false
    socket.uncork()
  }
  return {
    cork: () => {
      if (isCorked) return
      isCorked = true
      socket.cork()
      process.nextTick(flush)
    },
    flush,
  }
}
