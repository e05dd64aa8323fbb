import { z } from 'zod'

import { ComponentFieldsSchema } from './component.ts'

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
