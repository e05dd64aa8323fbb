import { z } from 'zod'

import {
  COMMON_FIELDS,
  defineCheckType,
  hasTarget,
  NO_TARGET,
  TargetUrlSchema,
  TEMPLATE_FIELDS,
  TextValueSchema,
} from './fields.ts'
import { toPublicUrl } from './maskCredentials.ts'

/** A query of an index and how many documents it must find. Not run by the product itself. */
export const ElasticsearchSpecSchema = z
  .strictObject({
    ...COMMON_FIELDS,
    ...TEMPLATE_FIELDS,
    url: TargetUrlSchema.optional(),
    /** Name of a connection that knows the address, instead of it. */
    connection: z.string().min(1).optional(),
    index: z.string().min(1),
    /** Body of the search, as JSON text. */
    query: z.string().min(1),
    /** Documents that the query must find. */
    results: z.number().int().min(0).optional(),
    username: TextValueSchema.optional(),
    password: TextValueSchema.optional(),
  })
  .refine(hasTarget, NO_TARGET)

export const elasticsearchCheckType = defineCheckType({
  schema: ElasticsearchSpecSchema,
  endpoint: (spec) => `${toPublicUrl(spec.url ?? spec.connection ?? '')}/${spec.index}`,
})
