import type { ApiError } from '@watchroom/shared/protocol'

import type { CodedError } from '../platform/errors.ts'

/** Body of one of our own errors: its text stands where clients of the backend look for a text. */
export function toApiError({ code, message }: CodedError, requestId: string): ApiError {
  return { error: message, message, code, requestId, kind: code }
}
