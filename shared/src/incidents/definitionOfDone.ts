import { z } from 'zod'

/** One of the conditions that all have to be true, as the script says it. Times in milliseconds since the epoch. */
export const DodClauseSchema = z.object({
  text: z.string(),
  /** Null: unknown, and `error` says why. */
  holds: z.boolean().nullable(),
  error: z.string().nullable(),
  /** Of a condition on an age: since when the state lasts, and how long it must. */
  holdsSince: z.number().nullable(),
  holdMs: z.number().nullable(),
})
export type DodClause = z.infer<typeof DodClauseSchema>

/** How one automatic item of the definition of done stands. */
export const DodVerdictSchema = z.object({
  /** Id of the evidence. */
  id: z.string(),
  /** Null: unknown. */
  done: z.boolean().nullable(),
  error: z.string().nullable(),
  clauses: z.array(DodClauseSchema),
  /** The hold that is still missing or was the last to be met; null while anything else is not true. */
  holdsSince: z.number().nullable(),
  holdMs: z.number().nullable(),
})
export type DodVerdict = z.infer<typeof DodVerdictSchema>
