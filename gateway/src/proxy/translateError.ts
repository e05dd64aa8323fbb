// Turns the various error bodies of backends into the one shape that every client reads. Knows nothing of streams: it is given the text.
import type { ApiError } from '@watchroom/shared/protocol'

import { hideValues } from '../platform/database/redactDatabaseError.ts'
import { SQL_STATE } from '../platform/database/sqlState.ts'
import { isNotOffered, readSaid } from '../platform/notOffered.ts'
import { proxyErrors } from './errors.ts'

export interface BackendError {
  readonly status: number
  readonly contentType: string
  readonly text: string
}

/** Plain text longer than this is not a message for a person. */
const MAX_MESSAGE_LENGTH = 500

/** How the backend looks from inside: nothing that a caller could use. */
const HIDDEN_KEYS: ReadonlySet<string> = new Set(['stacktrace', 'context'])

/** Words of handlers that do not pass on the database's code: an account, an agent, a row of a foreign service. */
const DUPLICATE = /duplicate key value|SQLSTATE 23505|\balready exists\b|\bthere is already an?\b/i

/** Words of the real server's proxy when a service behind it is away: they name that service's address inside. */
const UNREACHABLE = /\bremote \S+ unreachable\b/

/**
 * The backend's error with its own keys at the top and ours beside them. The status is its own too, except for a duplicate,
 * which is 409 whichever handler met it.
 * A page of HTML is a proxy's or a crash's, never the backend's word: with a 5xx it becomes a bad answer, and so do the words of a
 * proxy that reached nobody.
 */
export function translateError(error: BackendError, requestId: string): { status: number; body: ApiError } {
  const isHtml = error.contentType.startsWith('text/html')
  if (error.status >= 500 && (isHtml || namesUnreachable(error.text))) {
    const { status, code, message } = proxyErrors.PROXY_BACKEND_BAD_ANSWER
    return {
      status,
      body: { error: message, message, code, requestId, kind: code, details: { status: error.status } },
    }
  }
  // Every backend's: what ours hides already stays as it is.
  const said = isHtml ? undefined : readSaid(hideValues(error.text))
  const own = isRecord(said) ? withoutHidden(said) : {}
  const words = readMessage(said)
  const status = isDuplicate(error.status, own, words) ? 409 : error.status
  const isUnknown = !isHtml && isNotOffered(status, said)
  const { code: kind, message: generic } = isUnknown ? proxyErrors.PROXY_NOT_OFFERED : definitionOf(status)
  const text = isUnknown ? generic : (words ?? generic)
  return {
    status,
    body: {
      ...own,
      // Only what has no place of its own in the body: a list, or an object where a text is expected.
      ...(said !== undefined && !isRecord(said) && typeof said !== 'string' ? { details: said } : {}),
      ...(isRecord(own.error) && own.details === undefined ? { details: own.error } : {}),
      error: text,
      message: typeof own.message === 'string' && own.message !== '' ? own.message : text,
      code: typeof own.code === 'string' && own.code !== '' ? own.code : kind,
      requestId,
      kind,
    },
  }
}

/**
 * An error on its way to a program of the real product, which knows no keys but the backend's.
 *
 * @returns the body as it came, without what is hidden from everyone
 */
export function hideInternals(text: string): string {
  const body = readSaid(text)
  if (!isRecord(body) || ![...HIDDEN_KEYS].some((key) => Object.hasOwn(body, key))) return text
  return JSON.stringify(withoutHidden(body))
}

/** Where the backend failed, in its own code, for the log. Not its context: that holds what people typed. */
export function stackOf(text: string): string | undefined {
  const body = readSaid(text)
  return isRecord(body) && typeof body.stacktrace === 'string' ? body.stacktrace : undefined
}

/** The operator reads it in the log; nobody else has a use for the address. */
export const namesUnreachable = (text: string): boolean => UNREACHABLE.test(text)

function definitionOf(status: number): { code: string; message: string } {
  if (status < 500) return proxyErrors.PROXY_BACKEND_REFUSED
  return status === 503 ? proxyErrors.PROXY_BACKEND_UNAVAILABLE : proxyErrors.PROXY_BACKEND_FAILED
}

/** Refusals that have a status of their own, a missing right for example, keep it. */
function isDuplicate(status: number, body: Readonly<Record<string, unknown>>, words: string | undefined): boolean {
  if (status !== 400 && status !== 500) return false
  return body.code === SQL_STATE.uniqueViolation || DUPLICATE.test(words ?? '')
}

/** `{error, message}` of handlers (`error` says more), `{message}` of PostgREST, `{error: {message}}`, or plain text. */
function readMessage(body: unknown): string | undefined {
  if (typeof body === 'string') return body.length <= MAX_MESSAGE_LENGTH ? body.trim() : undefined
  if (!isRecord(body)) return undefined
  const { error, message } = body
  if (typeof error === 'string' && error !== '') return error
  if (typeof message === 'string' && message !== '') return message
  return isRecord(error) ? readMessage(error) : undefined
}

const withoutHidden = (body: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(body).filter(([key]) => !HIDDEN_KEYS.has(key)))

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
