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
  /** Own edits that were not acknowledged, by the tab that answers for them. A page of before counted those of all tabs as one's. */
  pending: z.union([z.record(z.string(), PendingEditsSchema), PendingEditsSchema.transform((before) => ({ before }))]),
  rejected: z.array(RejectedTextSchema),
  /** What the person had seen when they last looked. */
  seen: SeenSchema.nullable(),
})
export type StoredNote = z.infer<typeof StoredNoteSchema>

/** What several tabs write into one note and must not lose of each other; the rest is large, and the newest of any tab will do. */
export const SharedNoteSchema = StoredNoteSchema.pick({ pending: true, rejected: true })

export interface StoredDocument {
  /** As it is now. Parsed by the caller: another tab, or another version of this page, may have written it. */
  readNote(): Promise<unknown>
  writeNote(note: StoredNote): Promise<void>
  /** Stops storing; what is stored stays. */
  close(): Promise<void>
  /** Stops storing, and deletes. */
  drop(): Promise<void>
}

/**
 * Stores documents in this browser, so that edits survive a reload without a link. All methods may reject: a browser may
 * forbid storage or run out of it, and the caller then goes on without.
 */
export interface DocumentStorage {
  /** Epoch that is stored of an incident, or null. Documents of other people are deleted on the way. */
  find(userId: string, incidentId: string): Promise<string | null>
  /** Loads what is stored into `doc` and stores every further change of it. */
  open(key: StoredKey, doc: Y.Doc): Promise<StoredDocument>
  /** Deletes what is stored of an incident, whoever has it open. */
  remove(userId: string, incidentId: string): Promise<void>
}
