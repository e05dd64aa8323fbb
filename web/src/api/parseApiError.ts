import { z } from 'zod'

import type { FieldFault } from '../ui/form/fieldFault.ts'
import { toDatabaseFaults } from './databaseFaults.ts'

/** What a failed answer says, whoever wrote it: the gateway, the backend, PostgREST, the identity service or a proxy. */
export interface ApiFailure {
  readonly message: string
  /** From the gateway's catalog, or the error id of the identity service; absent when the producer has none. */
  readonly code?: string
  /** The backend's own, for example PostgreSQL's error code. */
  readonly sourceCode?: string
  readonly requestId?: string
  /** Fields of the request that were refused. */
  readonly faults?: readonly FieldFault[]
  /** Where the identity service wants the browser to go. */
  readonly redirectTo?: string
}

/** Shown when a server gives no reason (first specification, section 8). */
const NO_REASON_TEXT = 'An error occurred'

const text = z.string().trim().min(1)
const optionalText = text.optional().catch(undefined)

/** The identity service, whose answers pass through the gateway as they are. */
const IdentityErrorSchema = z.object({
  error: z.object({
    id: optionalText,
    message: optionalText,
    reason: optionalText,
    details: z.object({ redirect_browser_to: optionalText }).optional().catch(undefined),
  }),
  redirect_browser_to: optionalText,
})

/** Everyone else. `kind` is the gateway's; without a gateway in between there is only the backend's `code`. */
const FlatSchema = z.object({
  error: optionalText,
  message: optionalText,
  code: optionalText,
  kind: optionalText,
  requestId: optionalText,
  details: z.unknown().optional(),
})

/** Our own errors name the fields; the database says it in a sentence. */
const FaultsSchema = z.array(z.object({ field: z.string().min(1), message: text }))

/** Longer plain text is some proxy's error page, not a sentence for a person. */
const MAX_PLAIN_TEXT = 300

/**
 * Reads an error body of any known producer. The only reader of error bodies in the client.
 *
 * @param body parsed JSON, or the text when it was none
 */
export function parseApiError(body: unknown): ApiFailure {
  if (typeof body === 'string') {
    const line = body.trim()
    const isSentence = line.length > 0 && line.length <= MAX_PLAIN_TEXT && !line.startsWith('<')
    return { message: isSentence ? line : NO_REASON_TEXT }
  }

  const identity = IdentityErrorSchema.safeParse(body)
  if (identity.success) {
    const { error, redirect_browser_to: outerRedirect } = identity.data
    const redirectTo = outerRedirect ?? error.details?.redirect_browser_to
    return {
      message: error.reason ?? error.message ?? NO_REASON_TEXT,
      ...(error.id === undefined ? {} : { code: error.id }),
      ...(redirectTo === undefined ? {} : { redirectTo }),
    }
  }

  const flat = FlatSchema.safeParse(body)
  if (flat.success) {
    const { error, message, code, kind, requestId, details } = flat.data
    const named = FaultsSchema.safeParse(details)
    const faults = named.success ? named.data : toDatabaseFaults({ code, message, details })
    return {
      message: error ?? message ?? NO_REASON_TEXT,
      ...(kind === undefined ? {} : { code: kind }),
      ...(code === undefined || code === kind ? {} : { sourceCode: code }),
      ...(requestId === undefined ? {} : { requestId }),
      ...(faults.length === 0 ? {} : { faults }),
    }
  }
  return { message: NO_REASON_TEXT }
}
