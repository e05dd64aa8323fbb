import { type Clock, createTimer } from '@watchroom/shared/kernel'
import { deepEqual } from '@watchroom/shared/protocol'

import type { IncidentRoom } from './contract.ts'

/** Typing and changes of others are shown together, at most once a frame of the screen. */
const BATCH_MS = 16
/** How many times as long as showing them took the page is free for the person at it, however many others write. */
const REST = 2
/** A key goes before what others do: the frame with it is drawn meanwhile. */
const KEY_MS = 40
/** Nothing waits longer than this for keys, or after a slow batch. */
const MAX_WAIT_MS = 200

export interface RoomPublisher {
  /** What the screens show. */
  readonly room: () => IncidentRoom
  readonly subscribe: (listener: () => void) => () => void
  readonly publish: () => void
  readonly publishSoon: () => void
  /** The person struck a key: what is to be shown soon lets its frame go first. */
  readonly noteKey: () => void
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
  /** Monotonic times: since when there is something to show, until when the page rests, until when a key has its frame. */
  let waitsSince = 0
  let restsUntil = 0
  let keyUntil = 0

  const publish = (): void => {
    if (isClosed) return
    const next = keepIdentity(room, compose(room))
    batchTimer.clear()
    if (next === room) return
    room = next
    for (const listener of listeners) listener()
  }

  const publishBatch = (): void => {
    const startedAt = clock.monotonic()
    const waitMs = Math.min(keyUntil, waitsSince + MAX_WAIT_MS) - startedAt
    if (waitMs > 0) return batchTimer.set(publishBatch, waitMs)
    publish()
    // React renders in a microtask that the listeners asked for.
    queueMicrotask(() => {
      const endedAt = clock.monotonic()
      restsUntil = endedAt + Math.min(REST * (endedAt - startedAt), MAX_WAIT_MS)
    })
    return undefined
  }

  return {
    room: () => (room ??= compose(null)),
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    publish,
    publishSoon: () => {
      if (isClosed || batchTimer.isSet()) return
      waitsSince = clock.monotonic()
      batchTimer.set(publishBatch, Math.max(BATCH_MS, restsUntil - waitsSince))
    },
    noteKey: () => {
      keyUntil = clock.monotonic() + KEY_MS
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
