// Turns the many error bodies of backends into the one envelope. Knows nothing of streams: it is given the text.
import type { ApiError } from '@watchroom/shared/protocol'

import { proxyErrors } from './errors.ts'

export interface BackendError {
  readonly status: number
  readonly contentType: string
  readonly text: string
}

/** Plain text longer than this is not a message for a person. */
const MAX_MESSAGE_LENGTH = 500

/**
 * The envelope of a backend's error: its status, its message and, as details, its body.
 * A page of HTML is a proxy's or a crash's, never the backend's word: with a 5xx it becomes a bad answer.
 */
export function translateError(error: BackendError, requestId: string): { status: number; body: ApiError } {
  const isHtml = error.contentType.startsWith('text/html')
  if (isHtml && error.status >= 500) {
    const { status, code, message } = proxyErrors.PROXY_BACKEND_BAD_ANSWER
    return { status, body: { error: { code, message, requestId, details: { status: error.status } } } }
  }
  const { code, message } = definitionOf(error.status)
  const body = isHtml ? undefined : (tryParseJson(error.text) ?? (error.text.trim() || undefined))
  return {
    status: error.status,
    body: {
      error: {
        code,
        message: readMessage(body) ?? message,
        requestId,
        ...(body === undefined ? {} : { details: body }),
      },
    },
  }
}

function definitionOf(status: number): { code: string; message: string } {
  if (status < 500) return proxyErrors.PROXY_BACKEND_REFUSED
  return status === 503 ? proxyErrors.PROXY_BACKEND_UNAVAILABLE : proxyErrors.PROXY_BACKEND_FAILED
}

/** `{error, message}` of handlers (`error` says more), `{message}` of PostgREST, `{error: {message}}`, or plain text. */
function readMessage(body: unknown): string | undefined {
  if (typeof body === 'string') return body.length <= MAX_MESSAGE_LENGTH ? body.trim() : undefined
  if (typeof body !== 'object' || body === null) return undefined
  const { error, message } = body as { error?: unknown; message?: unknown }
  if (typeof error === 'string' && error !== '') return error
  if (typeof message === 'string' && message !== '') return message
  return typeof error === 'object' ? readMessage(error) : undefined
}

function tryParseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    // Not JSON is an expected outcome here: many backends answer errors with plain text.
    return undefined
  }
}
