import { z } from 'zod'

/** A row of `job_histories`: internal work that was done once. Errors may be of any shape. */
export const JobHistorySchema = z.object({
  id: z.string(),
  name: z.string(),
  status: z.string().nullish(),
  time_start: z.string().nullish(),
  duration_millis: z.number().nullish(),
  success_count: z.number().nullish(),
  error_count: z.number().nullish(),
  details: z
    .object({ errors: z.array(z.unknown()).nullish() })
    .nullish()
    .catch(null),
})
export type JobHistory = z.infer<typeof JobHistorySchema>
