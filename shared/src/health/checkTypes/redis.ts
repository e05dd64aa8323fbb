import { z } from 'zod'

import {
  COMMON_FIELDS,
  ConnectionReferenceSchema,
  defineCheckType,
  hidden,
  HostPortSchema,
  TextValueSchema,
} from './fields.ts'

const RedisSpecSchema = z
  .strictObject({
    ...COMMON_FIELDS,
    /** `host:port`. */
    addr: HostPortSchema.optional(),
    /** Knows the address and how to sign in, instead of `addr`. */
    connection: ConnectionReferenceSchema.optional(),
    db: z.number().int().min(0).max(65_535).optional(),
    username: TextValueSchema.optional(),
    password: hidden(TextValueSchema, 'secret').optional(),
    tls: z.boolean().optional(),
    insecureSkipVerify: z.boolean().optional(),
  })
  .refine((spec) => (spec.addr === undefined) !== (spec.connection === undefined), {
    path: ['addr'],
    error: 'expected one of addr and connection',
  })

export const redisCheckType = defineCheckType({
  schema: RedisSpecSchema,
  endpoint: (spec) => `${spec.addr ?? spec.connection}/${spec.db ?? 0}`,
})
