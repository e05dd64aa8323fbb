import { type Clock, createRateLimit, type RateLimit } from '@watchroom/shared/kernel'

import type { LiveSettings } from './settings.ts'

/** Packets include the engine's own pongs and handshakes, and must never stop a client that keeps to the message limit. */
const PACKETS_PER_MESSAGE = 3

/** Bounds everything a connection may send, signed in or not. */
export const createPacketLimit = (clock: Clock, settings: LiveSettings): RateLimit =>
  createRateLimit(clock, {
    perSecond: settings.messagesPerSecond * PACKETS_PER_MESSAGE,
    burst: settings.messageBurst * PACKETS_PER_MESSAGE,
  })
