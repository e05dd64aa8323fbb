import { z } from 'zod'

import { COMMON_FIELDS, defineCheckType } from './fields.ts'

/** What the product can ask about itself. The gateway's probe registry has one entry for each. */
export const SELF_PROBES = [
  'event-loop-delay',
  'heap-and-rss',
  'store-writable',
  'disk-free',
  'scheduler-tick',
  'database-append',
  'event-queue-depth',
  'notification-outbox',
  'clock-step',
  'postgrest',
  'programs',
  'build-info',
] as const
export type SelfProbeName = (typeof SELF_PROBES)[number]

const SelfSpecSchema = z.strictObject({ ...COMMON_FIELDS, probe: z.enum(SELF_PROBES) })

export const selfCheckType = defineCheckType({ schema: SelfSpecSchema, endpoint: (spec) => spec.probe })
