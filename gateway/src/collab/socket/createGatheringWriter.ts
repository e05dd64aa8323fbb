import type { Socket } from 'node:net'

export interface GatheringWriter {
  /** What is written from now on goes out with the rest of this turn of the event loop. */
  gather(): void
  /** Not at its end, but now. */
  flush(): void
}

/** Frames of one turn go out in one write: a system call for each costs more than everything else about them. */
export function createGatheringWriter(socket: Socket): GatheringWriter {
  let isGathering = false
  const flush = (): void => {
    if (!isGathering) return
    isGathering = false
    socket.uncork()
  }
  return {
    gather: () => {
      if (isGathering) return
      isGathering = true
      socket.cork()
      process.nextTick(flush)
    },
    flush,
  }
}
