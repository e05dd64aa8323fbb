import { defineErrors } from '../platform/errors.ts'

export const appErrors = defineErrors({
  REQUEST_INVALID: { message: 'The request is not valid: {reason}', status: 400, retryable: false, reportable: false },
  REQUEST_TOO_LARGE: { message: 'The request body is too large', status: 413, retryable: false, reportable: false },
  REQUEST_MEDIA_TYPE: {
    message: 'The content type is not supported',
    status: 415,
    retryable: false,
    reportable: false,
  },
  REQUEST_HOST_UNKNOWN: {
    message: 'This server does not answer to the name it was addressed by; WATCHROOM_PUBLIC_URL says which it has',
    status: 421,
    retryable: false,
    reportable: false,
  },
  ROUTE_NOT_FOUND: { message: 'There is nothing here', status: 404, retryable: false, reportable: false },
  INTERNAL_ERROR: { message: 'Something went wrong', status: 500, retryable: false, reportable: true },
})
