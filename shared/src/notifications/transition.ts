// What happened that someone may be told of, and what became of it rule by rule.
import { z } from 'zod'

import { DecisionSchema } from './decision.ts'
import { SEND_STATUSES } from './sendStatus.ts'

export const TransitionSummarySchema = z.object({
  id: z.string(),
  event: z.string(),
  resource_id: z.string(),
  resource: z.string(),
  happened_at: z.iso.datetime(),
  /** Rules that tell someone of it, of all that decided on it. */
  told: z.number(),
  decided: z.number(),
})
export type TransitionSummary = z.infer<typeof TransitionSummarySchema>

export const TransitionPageSchema = z.object({ transitions: z.array(TransitionSummarySchema), total: z.number() })

/** Newest first. */
export const TransitionAskSchema = z.object({
  resource_id: z.guid().optional(),
  event: z.string().max(100).optional(),
  limit: z.coerce.number().int().min(1).max(500).default(50),
  offset: z.coerce.number().int().min(0).max(1_000_000).default(0),
})

const SentSchema = z.object({
  id: z.string(),
  recipient: z.string().nullable(),
  status: z.enum(SEND_STATUSES).nullable().catch(null),
  error: z.string().nullable(),
})

export const ExplanationSchema = TransitionSummarySchema.extend({
  rules: z.array(
    DecisionSchema.extend({
      id: z.string(),
      title: z.string(),
      /** What became of its messages. */
      sends: z.array(SentSchema),
    }),
  ),
})
export type Explanation = z.infer<typeof ExplanationSchema>
