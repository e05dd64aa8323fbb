import { z } from 'zod'

import { COMMON_FIELDS, defineCheckType, hasTarget, NO_TARGET, SERVICE_FIELDS, TEMPLATE_FIELDS } from './fields.ts'
import { toPublicUrl } from './maskCredentials.ts'

/** A query of an index and how many documents it must find. Not run by the product itself. */
const ElasticsearchSpecSchema = z
  .strictObject({
    ...COMMON_FIELDS,
    ...TEMPLATE_FIELDS,
    ...SERVICE_FIELDS,
    index: z.string().min(1),
    /** Body of the search, as JSON text. */
    query: z.string().min(1),
    /** Documents that the query must find. */
    results: z.number().int().min(0).optional(),
  })
  .refine(hasTarget, NO_TARGET)

export const elasticsearchCheckType = defineCheckType({
  schema: ElasticsearchSpecSchema,
  endpoint: (spec) => `${toPublicUrl(spec.url ?? spec.connection ?? '')}/${spec.index}`,
})
