import { z } from 'zod'

import { COMMON_FIELDS, defineCheckType, HostPortSchema, TextValueSchema } from './fields.ts'

export const RedisSpecSchema = z.strictObject({
  ...COMMON_FIELDS,
  /** `host:port`. */
  addr: HostPortSchema,
  db: z.number().int().min(0).max(65_535).optional(),
  username: TextValueSchema.optional(),
  password: TextValueSchema.optional(),
  tls: z.boolean().optional(),
  insecureSkipVerify: z.boolean().optional(),
})

export const redisCheckType = defineCheckType({
  schema: RedisSpecSchema,
  endpoint: (spec) => `${spec.addr}/${spec.db ?? 0}`,
})
