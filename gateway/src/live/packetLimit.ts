import type { Clock } from '@watchroom/shared/kernel'

import type { LiveSettings } from './settings.ts'

/** Packets include the engine's own pongs and handshakes, and must never stop a client that keeps to the message limit. */
const PACKETS_PER_MESSAGE = 3

/** Returns whether one more is allowed now. */
export function createTokenBucket(clock: Clock, perSecond: number, burst: number): () => boolean {
  let tokens = burst
  let filledAt = clock.monotonic()
  return () => {
    const now = clock.monotonic()
    tokens = Math.min(burst, tokens + ((now - filledAt) / 1_000) * perSecond)
    filledAt = now
    if (tokens < 1) return false
    tokens -= 1
    return true
  }
}

/** Bounds everything a connection may send, signed in or not. */
export function createPacketLimit(clock: Clock, settings: LiveSettings): () => boolean {
  return createTokenBucket(
    clock,
    settings.messagesPerSecond * PACKETS_PER_MESSAGE,
    settings.messageBurst * PACKETS_PER_MESSAGE,
  )
}
