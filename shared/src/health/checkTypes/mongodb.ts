import { z } from 'zod'

import { COMMON_FIELDS, defineCheckType, hasTarget, hidden, NO_TARGET, TextValueSchema } from './fields.ts'
import { toPublicUrl } from './maskCredentials.ts'

/** Connects to a MongoDB and pings it. Not run by the product itself. */
const MongodbSpecSchema = z
  .strictObject({
    ...COMMON_FIELDS,
    url: z
      .string()
      .regex(/^mongodb(?:\+srv)?:\/\/./, 'expected a mongodb:// or mongodb+srv:// URL')
      .optional(),
    /** Name of a connection that knows the address, instead of it. */
    connection: z.string().min(1).optional(),
    username: TextValueSchema.optional(),
    password: hidden(TextValueSchema, 'secret').optional(),
  })
  .refine(hasTarget, NO_TARGET)

export const mongodbCheckType = defineCheckType({
  schema: MongodbSpecSchema,
  endpoint: (spec) => toPublicUrl(spec.url ?? spec.connection ?? ''),
})
