import { z } from 'zod'

import { EvidenceTypeSchema, HypothesisTypeSchema } from '../../../incidents/index.ts'

/** Version of the layout below; a document of a newer one is refused (DOC-1). */
export const INCIDENT_SCHEMA_VERSION = 1

/** Shared maps at the top of an incident document. Nothing else may appear there (DOC-2). */
export const ROOTS = [
  'meta',
  'incident',
  'hypotheses',
  'edges',
  'comments',
  'evidence',
  'evidenceOff',
  'dod',
  'sync',
] as const
export type Root = (typeof ROOTS)[number]

/** Maps that only the server writes (DOC-3). */
export const SERVER_ROOTS: ReadonlySet<string> = new Set<Root>(['meta', 'sync'])

/** Bounds of one document; lengths in UTF-16 units. */
export const LIMITS = {
  titleLength: 300,
  descriptionLength: 20_000,
  commentLength: 10_000,
  scriptLength: 4_000,
  /** One evidence entry as JSON. */
  evidenceLength: 64 * 1024,
  orderLength: 200,
  entities: 20_000,
  /** A move may be this far ahead of the highest counter seen: offline moves of several people pile up. */
  edgeCounterSlack: 1_000,
} as const

/** Any 128 bit id: ids made by the database are ordered by time and carry no UUID version. */
export const IdSchema = z.guid()
/** As the database spells it: another spelling of the same id would be another entry. */
export const EntityIdSchema = z.guid().lowercase()
const timestamp = z.string().datetime({ offset: true })

/** Immutable part of a hypothesis, written with its creation. */
export const HypothesisCoreSchema = z.strictObject({
  type: HypothesisTypeSchema,
  created_by: IdSchema,
  created_at: timestamp,
})
export type HypothesisCore = z.infer<typeof HypothesisCoreSchema>

export const CommentCoreSchema = z.strictObject({
  hypothesis_id: IdSchema.nullable(),
  created_by: IdSchema,
  created_at: timestamp,
  /** Author in an external tracker; only comments that came from the backend have one. */
  external_created_by: z.string().nullable(),
  responder_id: IdSchema.nullable(),
})
export type CommentCore = z.infer<typeof CommentCoreSchema>

/** Evidence never changes; what changes about it (part of the definition of done, removed) stands beside it. */
export const EvidenceEntrySchema = z.strictObject({
  hypothesis_id: IdSchema,
  type: EvidenceTypeSchema,
  description: z.string().max(LIMITS.descriptionLength),
  config_id: IdSchema.nullable(),
  config_change_id: IdSchema.nullable(),
  config_analysis_id: IdSchema.nullable(),
  component_id: IdSchema.nullable(),
  check_id: IdSchema.nullable(),
  evidence: z.record(z.string(), z.unknown()).nullable(),
  properties: z.record(z.string(), z.unknown()).nullable(),
  created_by: IdSchema,
  created_at: timestamp,
})
export type EvidenceEntry = z.infer<typeof EvidenceEntrySchema>

/** Who removed something, and when. Removal is a mark, so that it can be taken back and never eats a concurrent edit. */
export const RemovalSchema = z.strictObject({ by: IdSchema, at: timestamp })
export type Removal = z.infer<typeof RemovalSchema>

/** Whether an item of the definition of done is met, as a person or the evaluation said. */
export const DoneSchema = z.strictObject({ done: z.boolean(), by: IdSchema.nullable(), at: timestamp })

/** Position below one parent: the highest counter of a child is its current place (DOC-9). */
export const EdgeSchema = z.tuple([z.number().int().nonnegative(), z.string().min(1).max(LIMITS.orderLength)])
