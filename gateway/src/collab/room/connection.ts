import { type Clock, createRateLimit, type RateLimit } from '@watchroom/shared/kernel'

import type { RoomPeer } from '../contract.ts'
import { createSlidingWindow, type SlidingWindow } from '../createSlidingWindow.ts'
import type { SlowUpdates } from './createGuard.ts'
import { type Arrival, createIntake, type Intake, type IntakeDeps } from './createIntake.ts'
import { ROOM_LIMITS } from './roomLimits.ts'

/** In a minute, of one connection. An honest page stops at the first. */
const MAX_READ_ONLY_REFUSALS = 10

/** What a room knows of one of its peers. */
export interface Connection {
  readonly peer: RoomPeer
  readonly intake: Intake
  readonly updates: RateLimit
  readonly questions: RateLimit
  readonly readOnlyRefusals: SlidingWindow
  readonly slow: SlowUpdates
  /** Updates that were acknowledged. */
  received: number
  /** Of the last answer to its question: whoever opens a large document has that much to read besides the news. */
  answerBytes: number
}

/** What becomes of an update; see `IntakeDeps.take`. */
export type UpdateHandler = (connection: Connection, arrival: Arrival, wasLookedUp: boolean) => Promise<void> | null

export interface ConnectionDeps extends Omit<IntakeDeps, 'take'> {
  readonly peer: RoomPeer
  readonly clock: Clock
  readonly take: UpdateHandler
}

export function openConnection({ peer, clock, take, ...deps }: ConnectionDeps): Connection {
  const connection: Connection = {
    peer,
    intake: createIntake({ ...deps, take: (arrival, wasLookedUp) => take(connection, arrival, wasLookedUp) }),
    updates: createRateLimit(clock, ROOM_LIMITS.updates),
    questions: createRateLimit(clock, ROOM_LIMITS.questions),
    readOnlyRefusals: createSlidingWindow({ clock, limit: MAX_READ_ONLY_REFUSALS }),
    slow: { count: 0, since: 0 },
    received: 0,
    answerBytes: 0,
  }
  return connection
}
