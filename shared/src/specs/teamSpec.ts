import { z } from 'zod'

import { ComponentSelectorSchema } from './common.ts'

/** What a team answers for, and how it is reached. */
export const TeamSpecSchema = z.looseObject({
  components: z.array(ComponentSelectorSchema).optional(),
  responder_clients: z.looseObject({}).optional(),
  notifications: z.array(z.looseObject({})).optional(),
})
