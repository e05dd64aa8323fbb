import { z } from 'zod'

import { ComponentSelectorSchema, REQUIRED } from './common.ts'

/** When a rule opens an incident, and what that one says. */
export const RuleSpecSchema = z.looseObject({
  /** Which components it watches. */
  components: z.array(ComponentSelectorSchema, REQUIRED).min(1, REQUIRED),
  /** Which health of theirs counts; unhealthy alone when nothing is named. */
  filter: z.looseObject({ status: z.array(z.string()).optional() }).optional(),
  /** Fields of the incident. Missing ones are filled in from the component. */
  template: z
    .looseObject({
      title: z.string().max(500).optional(),
      description: z.string().max(10_000).optional(),
      type: z.string().max(100).optional(),
      severity: z.string().max(100).optional(),
    })
    .optional(),
  /** Rules after this one are not tried for the component. */
  breakOnMatch: z.boolean().optional(),
  /** A team that owns the component responds. */
  autoAssignOwner: z.boolean().optional(),
})
