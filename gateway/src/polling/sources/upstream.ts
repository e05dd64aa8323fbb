import { CodedError } from '../../platform/errors.ts'
import { BackendFailure, type BackendClient, type BackendResponse } from '../../platform/httpClient.ts'
import { isNotOffered, readSaid } from '../../platform/notOffered.ts'
import { pollingErrors } from '../errors.ts'

/** The poller has a deadline of its own; this one only frees the connection. */
const TIMEOUT_MS = 30_000

/**
 * Reads `path` with the gateway's own credential.
 *
 * @param body JSON of a call that is a POST
 * @throws CodedError of `pollingErrors`, whatever goes wrong until `read` is through
 */
export async function readUpstream<Value>(
  backend: BackendClient,
  path: string,
  signal: AbortSignal,
  read: (response: BackendResponse) => Promise<Value>,
  body?: string,
): Promise<Value> {
  try {
    const response = await backend.request({
      path,
      headers: { accept: 'application/json', ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { method: 'POST', body }),
      signal,
      timeoutMs: TIMEOUT_MS,
    })
    if (response.status !== 200) {
      throw await toRefusal(response)
    }
    return await read(response)
  } catch (error) {
    throw toPollingError(error)
  }
}

/** The backend answered, and gives no rows: it has no such thing, or not for whoever asked. */
export const isRefused = (error: unknown): boolean =>
  error instanceof CodedError &&
  (error.code === pollingErrors.POLLING_UPSTREAM_REFUSED.code ||
    error.code === pollingErrors.POLLING_UPSTREAM_NOT_OFFERED.code)

async function toRefusal(response: BackendResponse): Promise<CodedError> {
  const { status } = response
  if (status === 404 && isNotOffered(status, readSaid(await response.text()))) {
    return new CodedError(pollingErrors.POLLING_UPSTREAM_NOT_OFFERED)
  }
  response.discard()
  return new CodedError(pollingErrors.POLLING_UPSTREAM_REFUSED, { values: { status } })
}

function toPollingError(error: unknown): CodedError {
  if (error instanceof CodedError) return error
  if (error instanceof BackendFailure && error.kind === 'timeout') {
    return new CodedError(pollingErrors.POLLING_UPSTREAM_TIMEOUT, {
      cause: error,
      values: { seconds: TIMEOUT_MS / 1_000 },
    })
  }
  if (error instanceof BackendFailure && error.kind !== 'broken') {
    return new CodedError(pollingErrors.POLLING_UPSTREAM_UNAVAILABLE, { cause: error })
  }
  return new CodedError(pollingErrors.POLLING_UPSTREAM_UNREADABLE, { cause: error })
}
