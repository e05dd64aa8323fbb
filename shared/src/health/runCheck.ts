import { z } from 'zod'

/** Answer of POST /canary/run/check/{id}. Every field may be missing; an empty body means that nothing was produced. */
export const CheckRunResultSchema = z.object({
  pass: z.boolean().nullish(),
  invalid: z.boolean().nullish(),
  /** Milliseconds. */
  duration: z.number().nullish(),
  message: z.string().nullish(),
  error: z.string().nullish(),
})
export type CheckRunResult = z.infer<typeof CheckRunResultSchema>
