import { z } from 'zod'

import { COMMON_FIELDS, defineCheckType } from './fields.ts'
import { HOST_PATTERN } from './hostPort.ts'

const IcmpSpecSchema = z.strictObject({
  ...COMMON_FIELDS,
  endpoint: z.string().trim().regex(HOST_PATTERN, 'expected a host name or an address'),
  /** Echo requests per run; 3 when absent. */
  packetCount: z.number().int().min(1).max(20).optional(),
  /** Percent of lost packets that is still accepted; 0 when absent. */
  packetLossThreshold: z.number().min(0).max(99).optional(),
})

export const icmpCheckType = defineCheckType({ schema: IcmpSpecSchema, endpoint: (spec) => spec.endpoint })
