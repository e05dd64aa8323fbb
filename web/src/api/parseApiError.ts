import { z } from 'zod'

/** What a failed answer says, whoever wrote it: the gateway, the backend, PostgREST, the identity service or a proxy. */
export interface ApiFailure {
  readonly message: string
  /** Stable code or the identity service's error id; absent when the producer has none. */
  readonly code?: string
  /** What the gateway was told when it passes on a refusal, for example PostgreSQL's error code. */
  readonly sourceCode?: string
  readonly requestId?: string
  /** Where the identity service wants the browser to go. */
  readonly redirectTo?: string
}

/** Shown when a server gives no reason (first specification, section 8). */
export const NO_REASON_TEXT = 'An error occurred'

const text = z.string().trim().min(1)
const optionalText = text.optional().catch(undefined)

const EnvelopeSchema = z.object({
  error: z.object({
    id: optionalText,
    code: z.union([text, z.number()]).optional().catch(undefined),
    message: optionalText,
    reason: optionalText,
    requestId: optionalText,
    details: z.object({ redirect_browser_to: optionalText, code: optionalText }).optional().catch(undefined),
  }),
  redirect_browser_to: optionalText,
})

const FlatSchema = z.object({ error: optionalText, message: optionalText, code: optionalText })

/** Longer plain text is a page of some proxy, not a sentence for a person. */
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

  const envelope = EnvelopeSchema.safeParse(body)
  if (envelope.success) {
    const { error, redirect_browser_to: outerRedirect } = envelope.data
    const code = error.id ?? (typeof error.code === 'string' ? error.code : undefined)
    const sourceCode = error.details?.code
    const redirectTo = outerRedirect ?? error.details?.redirect_browser_to
    return {
      message: error.reason ?? error.message ?? NO_REASON_TEXT,
      ...(code === undefined ? {} : { code }),
      ...(sourceCode === undefined ? {} : { sourceCode }),
      ...(error.requestId === undefined ? {} : { requestId: error.requestId }),
      ...(redirectTo === undefined ? {} : { redirectTo }),
    }
  }

  const flat = FlatSchema.safeParse(body)
  if (flat.success) {
    const { error, message, code } = flat.data
    return { message: error ?? message ?? NO_REASON_TEXT, ...(code === undefined ? {} : { code }) }
  }
  return { message: NO_REASON_TEXT }
}
