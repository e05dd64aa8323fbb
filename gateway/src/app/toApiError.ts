import type { ApiError } from '@watchroom/shared/protocol'

import type { CodedError } from '../platform/errors.ts'

/** The body of one error of our own: what it says in words stands where clients of the backend look for words. */
export function toApiError({ code, message }: CodedError, requestId: string): ApiError {
  return { error: message, message, code, requestId, kind: code }
}
