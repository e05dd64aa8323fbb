// Who is in a document and where. States are stamped with the session's identity and never stored.

import { MAX_AWARENESS_BYTES, type PeerState, PeerStateSchema } from '@watchroom/shared/collab'
import type { Clock } from '@watchroom/shared/kernel'
import * as decoding from 'lib0/decoding'
import * as encoding from 'lib0/encoding'

import type { RoomPeer } from '../contract.ts'

/** Changes of all peers are sent together, at most ten times a second. */
const FLUSH_MS = 100
/** A reload takes about 2 s; below this a reloading peer would visibly leave and return. */
const LEAVE_GRACE_MS = 3_000
/** Changes a second that are read from one peer; a caret never moves so often, and clients repeat their state anyway. */
const MAX_CHANGES_PER_S = 60

interface Entry {
  readonly clientId: number
  readonly userId: string
  /** Null while a peer that left is given time to come back. */
  peer: RoomPeer | null
  clock: number
  state: PeerState | null
  /** Who that is, and what they may do: from the session, kept while a peer that left is given time. */
  stamp: Record<string, unknown>
  cancelLeave: (() => void) | null
}

export interface Presence {
  /** Takes a peer's awareness message. Entries for client ids that are not this peer's are ignored. */
  receive(peer: RoomPeer, message: Uint8Array): void
  leave(peer: RoomPeer): void
  /** Who stands under a client id. */
  holderOf(clientId: number): string | undefined
  /** All present states as an awareness message, or null when there is nobody. */
  snapshot(): Uint8Array | null
  /** Sends everyone's stamp again, because what a peer may do has changed. */
  refresh(peer: RoomPeer): void
  readonly size: number
  close(): void
}

export interface PresenceDeps {
  readonly clock: Clock
  readonly broadcast: (message: Uint8Array) => void
  /** Whether a person may stand under a client id: not when someone else writes under it. */
  readonly mayUse: (clientId: number, userId: string) => boolean
}

export function createPresence(deps: PresenceDeps): Presence {
  const { clock } = deps
  const entries = new Map<number, Entry>()
  const ownIds = new Map<RoomPeer, number>()
  const changes = new Map<RoomPeer, { windowStart: number; count: number }>()
  const dirty = new Set<Entry>()
  let cancelFlush: (() => void) | null = null

  const markDirty = (entry: Entry): void => {
    dirty.add(entry)
    cancelFlush ??= clock.schedule(() => {
      cancelFlush = null
      const sent = [...dirty]
      dirty.clear()
      deps.broadcast(encodeEntries(sent))
      for (const gone of sent) if (gone.state === null && gone.peer === null) entries.delete(gone.clientId)
    }, FLUSH_MS)
  }

  const isTooFast = (peer: RoomPeer): boolean => {
    const now = clock.monotonic()
    const window = changes.get(peer)
    if (!window || now - window.windowStart >= 1000) {
      changes.set(peer, { windowStart: now, count: 1 })
      return false
    }
    window.count += 1
    return window.count > MAX_CHANGES_PER_S
  }

  /**
   * A client id belongs to the connection that announced it first; when that is gone, its person alone may take it over. Nobody
   * stands under an id that someone else writes under.
   */
  const claim = (peer: RoomPeer, clientId: number): Entry | null => {
    const owned = ownIds.get(peer)
    if (owned !== undefined && owned !== clientId) return null
    const known = entries.get(clientId)
    if (known?.peer && known.peer !== peer) return null
    if (known && known.userId !== peer.user.id) return null
    if (!known && !deps.mayUse(clientId, peer.user.id)) return null
    known?.cancelLeave?.()
    const { id: userId } = peer.user
    const entry: Entry = known ?? { clientId, userId, peer, clock: 0, state: null, stamp: {}, cancelLeave: null }
    entry.peer = peer
    entry.stamp = toStamp(peer)
    entry.cancelLeave = null
    ownIds.set(peer, clientId)
    entries.set(clientId, entry)
    return entry
  }

  const endOf = (entry: Entry): void => {
    entry.peer = null
    entry.state = null
    entry.clock += 1
    markDirty(entry)
  }

  return {
    receive: (peer, message) => {
      if (isTooFast(peer)) return
      const decoder = decoding.createDecoder(message)
      const count = decoding.readVarUint(decoder)
      for (let index = 0; index < count; index++) {
        const clientId = decoding.readVarUint(decoder)
        const entryClock = decoding.readVarUint(decoder)
        const text = decoding.readVarString(decoder)
        if (text.length > MAX_AWARENESS_BYTES) continue
        const state = tryParseState(text)
        if (state === undefined) continue
        const entry = claim(peer, clientId)
        // Stock clients echo what they heard about others; their own news has a newer clock.
        if (!entry || entryClock < entry.clock) continue
        // A stock client that leaves says so under the clock of its last word; any other repetition is an echo.
        if (entryClock === entry.clock && entry.state !== null && state !== null) continue
        if (state === null) {
          ownIds.delete(peer)
          endOf(entry)
          continue
        }
        entry.clock = entryClock
        entry.state = state
        markDirty(entry)
      }
    },

    leave: (peer) => {
      changes.delete(peer)
      const clientId = ownIds.get(peer)
      ownIds.delete(peer)
      const entry = clientId === undefined ? undefined : entries.get(clientId)
      if (!entry) return
      entry.peer = null
      entry.cancelLeave = clock.schedule(() => endOf(entry), LEAVE_GRACE_MS)
    },

    holderOf: (clientId) => entries.get(clientId)?.userId,

    snapshot: () => {
      const present = [...entries.values()].filter(({ state }) => state !== null)
      return present.length === 0 ? null : encodeEntries(present)
    },

    refresh: (peer) => {
      const clientId = ownIds.get(peer)
      const entry = clientId === undefined ? undefined : entries.get(clientId)
      if (!entry?.state) return
      entry.clock += 1
      entry.stamp = toStamp(peer)
      markDirty(entry)
    },

    get size() {
      return new Set([...entries.values()].map(({ peer }) => peer)).size
    },

    close: () => {
      cancelFlush?.()
      for (const { cancelLeave } of entries.values()) cancelLeave?.()
    },
  }

  function encodeEntries(list: readonly Entry[]): Uint8Array {
    const encoder = encoding.createEncoder()
    encoding.writeVarUint(encoder, list.length)
    for (const { clientId, clock: entryClock, state, stamp } of list) {
      encoding.writeVarUint(encoder, clientId)
      encoding.writeVarUint(encoder, entryClock)
      encoding.writeVarString(encoder, JSON.stringify(state === null ? null : { ...state, ...stamp }))
    }
    return encoding.toUint8Array(encoder)
  }
}

/** What the session says about a peer; it wins over what the peer says about itself. */
function toStamp(peer: RoomPeer): Record<string, unknown> {
  return { user: peer.user, canWrite: peer.canWrite }
}

/** Undefined when it cannot be read, null when the peer says that it is gone. */
function tryParseState(text: string): PeerState | null | undefined {
  try {
    const value: unknown = JSON.parse(text)
    if (value === null) return null
    const parsed = PeerStateSchema.safeParse(value)
    return parsed.success ? parsed.data : undefined
  } catch {
    return undefined
  }
}
