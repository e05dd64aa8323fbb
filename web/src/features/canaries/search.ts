import { CHECK_TYPES } from '@watchroom/shared/health/check-types'
import { z } from 'zod'

/** What a link to a canary carries. */
export const canarySearch = z.object({ view: z.enum(['form', 'yaml']).catch('form') })

const NEW_TYPES = [...CHECK_TYPES, 'custom', ''] as const
export type NewType = (typeof NEW_TYPES)[number]

/** `type` is the kind of check that a new canary begins with; `custom` begins with nothing. */
export const newCanarySearch = canarySearch.extend({
  type: z.enum(NEW_TYPES).catch(''),
})
