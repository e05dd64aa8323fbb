import type * as Y from 'yjs'
import { z } from 'zod'

import { SeenSchema } from './toDigest.ts'

/** A document as this browser stores it: one person, one incident, one epoch. */
export interface StoredKey {
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

const PendingEditsSchema = z.object({
  count: z.number().int(),
  since: z.number().nullable(),
  fields: z.array(z.string()),
})

/** What is stored beside the content. */
export const StoredNoteSchema = z.object({
  /** Unacknowledged own edits, by the tab that is responsible for them. Older versions of the page counted all tabs as one. */
  pending: z.union([z.record(z.string(), PendingEditsSchema), PendingEditsSchema.transform((before) => ({ before }))]),
  rejected: z.array(RejectedTextSchema),
  /** What the person had seen when they last looked. */
  seen: SeenSchema.nullable(),
})
export type StoredNote = z.infer<typeof StoredNoteSchema>

/** The parts of the note that several tabs write and must not overwrite for each other. The rest is large, and any tab's newest will do. */
export const SharedNoteSchema = StoredNoteSchema.pick({ pending: true, rejected: true })

export interface StoredDocument {
  /** The current note. Parsed by the caller: another tab or another version of this page may have written it. */
  readNote(): Promise<unknown>
  writeNote(note: StoredNote): Promise<void>
  /** Stops storing; what is stored stays. */
  close(): Promise<void>
  /** Stops storing, and deletes. */
  drop(): Promise<void>
}

/**
 * Stores documents in this browser, so that edits survive a reload without a link. All methods may reject, because storage may be
 * forbidden or full; the caller then goes on without it.
 */
export interface DocumentStorage {
  /** The epoch stored for an incident, or null. Also deletes documents of other people. */
  find(userId: string, incidentId: string): Promise<string | null>
  /** Loads what is stored into `doc` and stores every further change. */
  open(key: StoredKey, doc: Y.Doc): Promise<StoredDocument>
  /** Deletes what is stored for an incident, even if it is open somewhere. */
  remove(userId: string, incidentId: string): Promise<void>
}
