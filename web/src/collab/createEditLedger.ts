// Which own edits are durable. Knows edits, update frames and acknowledgements; knows neither sockets nor documents.

interface PendingEdit {
  /** Paths of the fields it changed. */
  readonly fields: readonly string[]
  /** Milliseconds since the epoch. */
  readonly at: number
  /** Number of the update frame of this connection that carries it; null while none does. */
  frame: number | null
}

export interface PendingEdits {
  readonly count: number
  /** Milliseconds since the epoch of the oldest; null when there is none. */
  readonly since: number | null
  readonly fields: readonly string[]
}

export interface EditLedger {
  note(fields: readonly string[], at: number): void
  /** Takes over edits of an earlier page that were not acknowledged when it ended. */
  restore(kept: PendingEdits): void
  /** An update frame goes out; it carries every edit that no frame carried yet. */
  frameSent(): void
  /**
   * The first `received` update frames of this connection are durable (COLLAB-4).
   *
   * @returns number of edits that became durable with it
   */
  acknowledge(received: number): number
  /** The connection ended: what was not acknowledged has to be carried again. */
  connectionLost(): void
  pending(): PendingEdits
  /** Whether frames wait for their acknowledgement. */
  isWaiting(): boolean
}

export function createEditLedger(): EditLedger {
  let edits: PendingEdit[] = []
  let framesSent = 0
  let framesAcknowledged = 0
  let view: PendingEdits | null = null

  return {
    note: (fields, at) => {
      edits.push({ fields, at, frame: null })
      view = null
    },
    restore: (kept) => {
      // Loaded into the document before anything was sent, so the first frame of the next connection carries them.
      const restored = Array.from({ length: kept.count }, (_, index) => ({
        fields: index === 0 ? kept.fields : [],
        at: kept.since ?? 0,
        frame: framesSent === 0 ? null : framesSent,
      }))
      edits = [...restored, ...edits]
      view = null
    },
    frameSent: () => {
      framesSent += 1
      for (const edit of edits) edit.frame ??= framesSent
    },
    acknowledge: (received) => {
      framesAcknowledged = received
      const before = edits.length
      edits = edits.filter(({ frame }) => frame === null || frame > received)
      view = null
      return before - edits.length
    },
    connectionLost: () => {
      framesSent = 0
      framesAcknowledged = 0
      for (const edit of edits) edit.frame = null
    },
    pending: () =>
      (view ??= {
        count: edits.length,
        since: edits[0]?.at ?? null,
        fields: [...new Set(edits.flatMap(({ fields }) => fields))],
      }),
    isWaiting: () => framesSent > framesAcknowledged,
  }
}
