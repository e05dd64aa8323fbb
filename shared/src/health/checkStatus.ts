import { z } from 'zod'

/** A row of `check_statuses`: one result of a check. */
export const CheckStatusSchema = z.object({
  check_id: z.string(),
  /** Without a zone on some backends, then it is UTC. */
  time: z.string(),
  /** True when the check passed. */
  status: z.boolean(),
  /** Milliseconds. */
  duration: z
    .number()
    .nullish()
    .transform((duration) => duration ?? null),
  message: z.string().nullish(),
  error: z.string().nullish(),
  /** True when the definition itself could not be used, so nothing was measured. */
  invalid: z.boolean().nullish(),
})
export type CheckStatus = z.infer<typeof CheckStatusSchema>
