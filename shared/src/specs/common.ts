import { z } from 'zod'

import { isDuration } from '../time/index.ts'

export const REQUIRED = 'This field is required'

export const required = z.string(REQUIRED).trim().min(1, REQUIRED)

export const duration = z.string().refine(isDuration, 'Must be a duration such as 30m, 12h or 7d')

export const count = z.number('This field must be a number').int().min(0, 'Must not be negative')

/** What a shell can export. */
export const VARIABLE_NAME = /^[A-Za-z_]\w*$/

/** Which components are meant. A part that is missing asks for nothing. */
export const ComponentSelectorSchema = z.looseObject({
  id: z.string().optional(),
  name: z.string().optional(),
  namespace: z.string().optional(),
  types: z.array(z.string()).optional(),
  statuses: z.array(z.string()).optional(),
  labelSelector: z.string().max(2_000).optional(),
})
