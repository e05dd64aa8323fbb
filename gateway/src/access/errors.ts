import { CAPABILITIES } from '@watchroom/shared/access'
import { z } from 'zod'

import { CodedError, defineErrors } from '../platform/errors.ts'
import { BackendFailure } from '../platform/httpClient.ts'

export const accessErrors = defineErrors({
  ACCESS_SESSION_REQUIRED: { message: 'Sign in to continue', status: 401, retryable: false, reportable: false },
  ACCESS_SESSION_TOKEN_UNKNOWN: {
    message: `${CAPABILITIES.sessionTokens} Use HTTP Basic with an e-mail address and password, or with the name token and an access token.`,
    status: 401,
    retryable: false,
    reportable: false,
  },
  ACCESS_DENIED: {
    message: 'You do not have permission to do this',
    status: 403,
    retryable: false,
    reportable: false,
  },
  ACCESS_CROSS_ORIGIN: {
    message: 'This request did not come from a page of this server',
    status: 403,
    retryable: false,
    reportable: false,
  },
  ACCESS_RATE_LIMITED: {
    message: 'Too many attempts, try again in {seconds} s',
    status: 429,
    retryable: true,
    reportable: false,
  },
  ACCESS_BACKEND_UNAVAILABLE: {
    message: 'Your session cannot be checked because the backend does not answer',
    status: 503,
    retryable: true,
    reportable: false,
  },
})

/** A caller who waits as long as it says is let through. */
export function rateLimited(waitMs: number): CodedError {
  const seconds = Math.max(1, Math.ceil(waitMs / 1_000))
  return new CodedError(accessErrors.ACCESS_RATE_LIMITED, { values: { seconds }, retryAfterS: seconds })
}

/** What a question about rights ends with: a backend that did not answer, or not in a readable way, is no refusal. */
export function toAccessError(error: unknown): unknown {
  if (!(error instanceof BackendFailure) && !(error instanceof z.ZodError)) return error
  return new CodedError(accessErrors.ACCESS_BACKEND_UNAVAILABLE, { cause: error })
}
