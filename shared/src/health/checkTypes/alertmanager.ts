import { z } from 'zod'

import { COMMON_FIELDS, defineCheckType, hasTarget, NO_TARGET, SERVICE_FIELDS, TEMPLATE_FIELDS } from './fields.ts'
import { toPublicUrl } from './maskCredentials.ts'

const FiltersSchema = z.record(z.string().min(1), z.string())

/** Alerts that fire in an Alertmanager. Not run by the product itself. */
const AlertmanagerSpecSchema = z
  .strictObject({
    ...COMMON_FIELDS,
    ...TEMPLATE_FIELDS,
    ...SERVICE_FIELDS,
    /** Expressions over alert names; all alerts when absent. */
    alerts: z.array(z.string()).optional(),
    /** Expressions over alert names that do not count. */
    ignore: z.array(z.string()).optional(),
    /** Labels that an alert must have. */
    filters: FiltersSchema.optional(),
    exclude_filters: FiltersSchema.optional(),
  })
  .refine(hasTarget, NO_TARGET)

export const alertmanagerCheckType = defineCheckType({
  schema: AlertmanagerSpecSchema,
  endpoint: (spec) => toPublicUrl(spec.url ?? spec.connection ?? ''),
})
