import { z } from 'zod'

import { ComponentFieldsSchema, TopologyAnswerSchema } from './component.ts'

/** A component on a page. What is below it on that page is named; the same one may be below several. */
export const ShownComponentSchema = ComponentFieldsSchema.extend({
  /** Stands for itself on the page, not in a card. */
  is_top: z.boolean().catch(false),
  /** Ids of those that its card lists. */
  shown: z.array(z.string()).catch([]),
})
export type ShownComponent = z.infer<typeof ShownComponentSchema>

/** Levels of a page: the card, what it lists, and what that is made of. */
export const SHOWN_LEVELS = 3

/** Cards that a page carries. More come on demand, not live. */
export const SHOWN_CARDS = 60

/** What the backend answers whoever asks for the rows of a page. One that knows no rows answers the tree. */
export const PageAnswerSchema = TopologyAnswerSchema.extend({
  /** All of them, or those that are different since the cursor that was asked with. */
  rows: z.array(ShownComponentSchema).nullish(),
  /** Ids of rows that the page had at that cursor. */
  removed: z.array(z.string()).nullish(),
})
