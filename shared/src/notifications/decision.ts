// What a rule made of a transition: the conditions in their order, up to the one that decided.
import { z } from 'zod'

const CLAUSES = ['event', 'filter', 'recipient', 'silence', 'repeat-interval', 'limit'] as const

const ClauseSchema = z.object({
  clause: z.enum(CLAUSES),
  /** Whether the message got past it. */
  isMet: z.boolean(),
  /** Why, where the clause alone does not tell. */
  detail: z.string().nullable(),
})
export type Clause = z.infer<typeof ClauseSchema>

/** `told`: the rule's recipients are told, or were about to be. */
const OUTCOMES = ['not-asked', 'filtered', 'error', 'silenced', 'repeat-interval', 'rate-limited', 'told'] as const

export const DecisionSchema = z.object({ outcome: z.enum(OUTCOMES), clauses: z.array(ClauseSchema) })
export type Decision = z.infer<typeof DecisionSchema>
