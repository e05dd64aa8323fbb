import { z } from 'zod'

/** Row of `canaries`: the definition that checks are made from. */
export const CanaryRowSchema = z.object({
  id: z.string(),
  name: z.string(),
  namespace: z.string().nullish(),
  labels: z.record(z.string(), z.unknown()).nullish(),
  spec: z.record(z.string(), z.unknown()),
  source: z.string().nullish(),
  agent_id: z.string().nullish(),
  agents: z.object({ id: z.string(), name: z.string().nullish() }).nullish(),
  updated_at: z.string().nullish(),
  deleted_at: z.string().nullish(),
})
export type CanaryRow = z.infer<typeof CanaryRowSchema>
