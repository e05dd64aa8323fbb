import { z } from 'zod'

/** The one error envelope of the gateway. `parseApiError` in the web client is its only reader. */
export const ApiErrorSchema = z.object({
  error: z.object({
    /** Stable, from the error catalogue (docs/errors.md). */
    code: z.string(),
    message: z.string(),
    requestId: z.string().optional(),
    details: z.unknown().optional(),
  }),
})
export type ApiError = z.infer<typeof ApiErrorSchema>
