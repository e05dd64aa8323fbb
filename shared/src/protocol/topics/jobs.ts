import { z } from 'zod'

import type { Topic } from '../topic.ts'

const JobStateSchema = z.object({ id: z.string(), status: z.string().nullish() })

/** That a job began or ended. What it says of itself is read where it is shown. */
export type JobState = z.infer<typeof JobStateSchema>

/** The newest jobs, and those that run: of one resource, or of all where no resource is named. */
export const jobsTopic: Topic<{ resourceId: string }, JobState> = {
  name: 'jobs',
  params: z.strictObject({ resourceId: z.union([z.guid(), z.literal('')]) }),
  row: JobStateSchema,
  key: 'id',
  resource: () => 'database',
  source: ({ resourceId }) => (resourceId === '' ? 'job_histories' : `job_histories?resource_id=eq.${resourceId}`),
}
