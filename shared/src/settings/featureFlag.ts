import { z } from 'zod'

/** A row of `GET /properties`: a switch of this installation. Local ones come from its configuration and win. */
export const FeatureFlagSchema = z.object({
  name: z.string(),
  value: z.string().catch(''),
  source: z.enum(['local', 'db']).catch('db'),
  description: z.string().catch(''),
})
export type FeatureFlag = z.output<typeof FeatureFlagSchema>
