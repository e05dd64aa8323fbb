import type * as Y from 'yjs'
import { z } from 'zod'

import { SeenSchema } from './toDigest.ts'

/** A document as this browser keeps it: one person, one incident, one epoch. */
export interface KeptKey {
  readonly userId: string
  readonly incidentId: string
  readonly epoch: string
}

const RejectedTextSchema = z.object({
  id: z.string(),
  field: z.string(),
  label: z.string(),
  text: z.string(),
  reason: z.string(),
  at: z.number(),
})

/** What is kept beside the content. */
export const KeptNoteSchema = z.object({
  /** Own edits that were not acknowledged. */
  pending: z.object({ count: z.number().int(), since: z.number().nullable(), fields: z.array(z.string()) }),
  rejected: z.array(RejectedTextSchema),
  /** What the person had seen when they last looked. */
  seen: SeenSchema.nullable(),
})
export type KeptNote = z.infer<typeof KeptNoteSchema>

/** What several tabs write into one note; the rest is each tab's own, and large. */
export const KeptRejectionsSchema = KeptNoteSchema.pick({ rejected: true })

export interface KeptDocument {
  /** As it is now. Parsed by the caller: another tab, or another version of this page, may have written it. */
  readNote(): Promise<unknown>
  writeNote(note: KeptNote): Promise<void>
  /** Stops keeping; what is kept stays. */
  close(): Promise<void>
  /** Stops keeping and forgets. */
  drop(): Promise<void>
}

/**
 * Keeps documents in this browser, so that edits survive a reload without a link. All methods may reject: a browser may
 * forbid storage or run out of it, and the caller then goes on without.
 */
export interface DocumentStorage {
  /** Epoch that is kept of an incident, or null. Documents of other people are forgotten on the way. */
  find(userId: string, incidentId: string): Promise<string | null>
  /** Loads what is kept into `doc` and keeps every further change of it. */
  open(key: KeptKey, doc: Y.Doc): Promise<KeptDocument>
  /** Forgets all documents of everybody. */
  wipe(): Promise<void>
}
