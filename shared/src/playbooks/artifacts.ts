import { z } from 'zod'

/** Files that one step may leave. */
export const MAX_STEP_FILES = 20
/** Bytes of all of them together; what is beyond is not kept, and the step says so. */
export const MAX_STEP_FILE_BYTES = 10 * 1_048_576

/** A row of `artifacts`: a file that a step left. */
export const StepFileSchema = z.object({
  id: z.string(),
  filename: z.string(),
  /** Bytes. */
  size: z.number(),
})
export type StepFile = z.infer<typeof StepFileSchema>
