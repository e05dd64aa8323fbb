import { type Clock, createTimer } from '@watchroom/shared/kernel'
import { deepEqual } from '@watchroom/shared/protocol'

import type { IncidentRoom } from './contract.ts'

/** Typing and other people's changes are shown together, at most once per frame. */
const BATCH_MS = 16
/** After showing them, the page stays free for the person for this many times as long as that took, however many others write. */
const REST = 2
/** A key press takes precedence over what others do: this long its frame is drawn first. */
const KEY_MS = 40
/** Nothing waits longer than this for keys, or after a slow batch. */
const MAX_WAIT_MS = 200

export interface RoomPublisher {
  /** What the screens show. */
  readonly room: () => IncidentRoom
  readonly subscribe: (listener: () => void) => () => void
  readonly publish: () => void
  readonly publishSoon: () => void
  /** The person pressed a key: batched updates let its frame go first. */
  readonly noteKey: () => void
  /** Wraps a function so that its result is published at once. */
  readonly published: <Given extends unknown[]>(act: (...given: Given) => void) => (...given: Given) => void
  /** Stops publishing. */
  readonly close: () => void
}

type Compose = (before: IncidentRoom | null) => IncidentRoom

/** Publishes changes to the screens. @param compose returns the current room, in new objects */
export function createRoomPublisher(clock: Clock, compose: Compose): RoomPublisher {
  const listeners = new Set<() => void>()
  const batchTimer = createTimer(clock)
  let room: IncidentRoom | null = null
  let isClosed = false
  /** Monotonic times: since when something waits to be shown, until when the page rests, until when a key has its frame. */
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
    // React renders in a microtask that the listeners scheduled.
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

/** Equal parts stay the same objects, and so does the whole if nothing changed. */
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
