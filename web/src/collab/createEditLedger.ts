// Tracks how far own edits got: typed, durable at the gateway, in the backend's tables. Knows neither sockets nor documents.

import type { Ack, Saved } from '@watchroom/shared/collab'
import { type Clock, createTimer } from '@watchroom/shared/kernel'

import type { LinkState, SaveProblem, SaveStatus } from './contract.ts'

/** An acknowledgement normally takes milliseconds. */
const ACK_TIMEOUT_MS = 15_000

interface PendingEdit {
  /** Paths of the fields it changed. */
  readonly fields: readonly string[]
  /** Milliseconds since the epoch. */
  readonly at: number
  /** Number of this connection's update frame that carries it; null while none does. */
  frame: number | null
}

export interface PendingEdits {
  readonly count: number
  /** Milliseconds since the epoch of the oldest; null when there is none. */
  readonly since: number | null
  readonly fields: readonly string[]
}

export interface EditLedger {
  readonly note: (fields: readonly string[], at: number) => void
  /** Takes over edits of an earlier page that were never acknowledged. */
  readonly restore: (stored: PendingEdits) => void
  /** An update frame goes out, with every edit that no frame has carried yet. */
  readonly frameSent: () => void
  /** The first `received` update frames of this connection are durable (COLLAB-4). */
  readonly acknowledge: (ack: Ack) => void
  /** What the backend's tables hold (COLLAB-5). */
  readonly saved: (saved: Saved) => void
  /** The connection ended: unacknowledged edits have to be sent again. */
  readonly connectionLost: () => void
  readonly pending: () => PendingEdits
  /** @param obstacles what keeps edits from being saved besides the backend */
  readonly status: (link: LinkState, obstacles: readonly SaveProblem[]) => Omit<SaveStatus, 'isKept'>
}

export interface EditLedgerDeps {
  readonly clock: Clock
  /** An acknowledgement is overdue. */
  readonly onOverdue: () => void
  /** The result of `pending` changed. */
  readonly onPending: () => void
}

export function createEditLedger({ clock, onOverdue, onPending }: EditLedgerDeps): EditLedger {
  const ackTimer = createTimer(clock)
  let edits: PendingEdit[] = []
  let framesSent = 0
  let pendingNow: PendingEdits | null = null
  /** The newest edit that is durable but not in the tables and may be our own: its sequence, and since when there is one. */
  let received: { readonly upTo: number; readonly since: number | null } | null = null
  let savedUpTo = 0
  let problems: readonly SaveProblem[] = []
  /** This connection does not know yet what the tables hold. */
  let isJoining = true

  const pending = (): PendingEdits =>
    (pendingNow ??= {
      count: edits.length,
      since: edits[0]?.at ?? null,
      fields: [...new Set(edits.flatMap(({ fields }) => fields))],
    })

  return {
    note: (fields, at) => {
      edits.push({ fields, at, frame: null })
      pendingNow = null
      onPending()
    },
    restore: (stored) => {
      // They are in the document before anything is sent, so the first frame of the next connection carries them.
      const restored = Array.from({ length: stored.count }, (_, index) => ({
        fields: index === 0 ? stored.fields : [],
        at: stored.since ?? 0,
        frame: framesSent === 0 ? null : framesSent,
      }))
      edits = [...restored, ...edits]
      pendingNow = null
    },
    frameSent: () => {
      framesSent += 1
      for (const edit of edits) edit.frame ??= framesSent
      if (!ackTimer.isSet()) ackTimer.set(onOverdue, ACK_TIMEOUT_MS)
    },
    acknowledge: (ack) => {
      const { count, since } = pending()
      edits = edits.filter(({ frame }) => frame === null || frame > ack.received)
      pendingNow = null
      ackTimer.clear()
      if (framesSent > ack.received) ackTimer.set(onOverdue, ACK_TIMEOUT_MS)
      if (edits.length === count) return
      if (ack.sequence > savedUpTo) received = { upTo: ack.sequence, since: received?.since ?? since }
      onPending()
    },
    saved: (saved) => {
      savedUpTo = saved.sequence
      // Edits sent by an earlier page of this person are in the document by now; nothing else says when they are saved.
      if (isJoining) received = { upTo: saved.latest, since: received?.since ?? null }
      isJoining = false
      if (received && savedUpTo >= received.upTo) received = null
      problems = saved.problems
    },
    connectionLost: () => {
      ackTimer.clear()
      framesSent = 0
      isJoining = true
      for (const edit of edits) edit.frame = null
    },
    pending,
    status: (link, obstacles) => {
      const { count, fields, since } = pending()
      const all = [...problems, ...obstacles]
      const progress = count > 0 ? 'typed' : received ? 'received' : 'saved'
      return {
        state: all.length > 0 ? 'problem' : link === 'offline' ? 'offline' : progress,
        isProven: link === 'online',
        // An edit that changed no field, such as a mark on the document itself, still counts as one.
        unsent: Math.max(fields.length, Math.min(count, 1)),
        problems: all,
        since: received?.since ?? since,
      }
    },
  }
}
