import { defineErrors } from '../platform/errors.ts'

/** They reach people as data: beside the last good rows, never as an answer of their own. */
export const pollingErrors = defineErrors({
  POLLING_UPSTREAM_UNAVAILABLE: {
    message: 'The backend does not answer',
    status: 503,
    retryable: true,
    reportable: false,
  },
  POLLING_UPSTREAM_TIMEOUT: {
    message: 'The backend did not answer within {seconds} s',
    status: 504,
    retryable: true,
    reportable: false,
  },
  POLLING_UPSTREAM_REFUSED: {
    message: 'The backend answered with status {status}',
    status: 502,
    retryable: true,
    reportable: true,
  },
  POLLING_UPSTREAM_NOT_OFFERED: {
    message: 'This backend does not offer this',
    status: 404,
    retryable: true,
    reportable: false,
  },
  POLLING_UPSTREAM_UNREADABLE: {
    message: 'The backend answered with something that cannot be read',
    status: 502,
    retryable: true,
    reportable: true,
  },
})
