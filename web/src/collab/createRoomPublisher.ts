import { type Clock, createTimer } from '@watchroom/shared/kernel'
import { deepEqual } from '@watchroom/shared/protocol'

import type { IncidentRoom } from './contract.ts'

/** Typing and changes of others are shown together, at most once a frame of the screen. */
const BATCH_MS = 16

export interface RoomPublisher {
  /** What the screens show. */
  readonly room: () => IncidentRoom
  readonly subscribe: (listener: () => void) => () => void
  readonly publish: () => void
  readonly publishSoon: () => void
  /** The same function, with its result published at once. */
  readonly published: <Given extends unknown[]>(act: (...given: Given) => void) => (...given: Given) => void
  /** Nobody is told anything any more. */
  readonly close: () => void
}

type Compose = (before: IncidentRoom | null) => IncidentRoom

/** Tells the screens of news. @param compose gives the room as it is now, in new objects */
export function createRoomPublisher(clock: Clock, compose: Compose): RoomPublisher {
  const listeners = new Set<() => void>()
  const batchTimer = createTimer(clock)
  let room: IncidentRoom | null = null
  let isClosed = false

  const publish = (): void => {
    if (isClosed) return
    const next = keepIdentity(room, compose(room))
    batchTimer.clear()
    if (next === room) return
    room = next
    for (const listener of listeners) listener()
  }

  return {
    room: () => (room ??= compose(null)),
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    publish,
    publishSoon: () => {
      if (!isClosed && !batchTimer.isSet()) batchTimer.set(publish, BATCH_MS)
    },
    published:
      (act) =>
      (...given) => {
        act(...given)
        publish()
      },
    close: () => {
      isClosed = true
      batchTimer.clear()
    },
  }
}

/** Parts that say the same as before stay the same objects, and so does the whole. */
function keepIdentity(before: IncidentRoom | null, next: IncidentRoom): IncidentRoom {
  if (!before) return next
  const keep = <Part>(was: Part, is: Part): Part => (deepEqual(was, is) ? was : is)
  const room: IncidentRoom = {
    ...next,
    save: keep(before.save, next.save),
    self: keep(before.self, next.self),
    peers: keep(before.peers, next.peers),
    followers: keep(before.followers, next.followers),
  }
  const names = Object.keys(room) as (keyof IncidentRoom)[]
  return names.every((name) => before[name] === room[name]) ? before : room
}
