import { z } from 'zod'

/**
 * The one body of every error under `/api`, whoever refused. The upper half is the backend's own shape, so that clients
 * written for it work here: `error` is a text, and what PostgREST says stands where PostgREST puts it. The lower half is ours.
 * Further keys of the backend pass as they are.
 */
export const ApiErrorSchema = z.looseObject({
  /** What a person may read. */
  error: z.string(),
  message: z.string(),
  /** The backend's own code where it gave one, for example PostgreSQL's; otherwise the same as `kind`. */
  code: z.string(),
  details: z.unknown().optional(),
  hint: z.unknown().optional(),
  /** Also the header `x-request-id` and the field `reqId` of the log. */
  requestId: z.string(),
  /** Stable, from the error catalogue (docs/errors.md). */
  kind: z.string(),
})
export type ApiError = z.infer<typeof ApiErrorSchema>
