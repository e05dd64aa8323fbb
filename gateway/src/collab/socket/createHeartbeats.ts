// Whoever asked for it hears something at least every so often, so that a dead link is noticed (COLLAB-27).

import { encodeOwnFrame } from '@watchroom/shared/collab'
import { type Clock, createTimer } from '@watchroom/shared/kernel'

import type { RoomPeer } from '../contract.ts'

const BEAT_MS = 2_000
const LOOK_MS = 500
const BEAT = encodeOwnFrame({ type: 'beat', value: { everyMs: BEAT_MS } })

export interface Heartbeats {
  /** Heartbeats at once, and from then on whenever nothing else was sent for a while. */
  start(peer: RoomPeer): void
  /** Something was sent. */
  noteSent(peer: RoomPeer): void
  stop(peer: RoomPeer): void
  close(): void
}

export function createHeartbeats(clock: Clock): Heartbeats {
  /** Monotonic times at which something was sent to those who want to hear it. */
  const sentAt = new Map<RoomPeer, number>()
  const timer = createTimer(clock)

  const beat = (): void => {
    const due = clock.monotonic() - BEAT_MS + LOOK_MS
    for (const [peer, at] of sentAt) if (at <= due) peer.send(BEAT)
    timer.set(beat, LOOK_MS)
  }
  beat()

  return {
    start: (peer) => {
      sentAt.set(peer, clock.monotonic())
      peer.send(BEAT)
    },
    noteSent: (peer) => {
      if (sentAt.has(peer)) sentAt.set(peer, clock.monotonic())
    },
    stop: (peer) => sentAt.delete(peer),
    close: () => timer.clear(),
  }
}
