import { defineErrors } from '../platform/errors.ts'

export const proxyErrors = defineErrors({
  PROXY_ENDPOINT_UNKNOWN: { message: 'Invalid api endpoint', status: 404, retryable: false, reportable: false },
  PROXY_METHOD_NOT_ALLOWED: {
    message: '{method} is not possible here',
    status: 405,
    retryable: false,
    reportable: false,
  },
  PROXY_PATH_REFUSED: { message: 'The path is not valid', status: 400, retryable: false, reportable: false },
  PROXY_PERSON_REQUIRED: {
    message: 'This needs an account of your own, and nobody signs in here',
    status: 403,
    retryable: false,
    reportable: false,
  },
  PROXY_EMBED_DENIED: {
    message: 'You do not have permission to read {table}',
    status: 403,
    retryable: false,
    reportable: false,
  },
  PROXY_EMBED_UNKNOWN: {
    message: 'There is nothing named {name} to embed',
    status: 400,
    retryable: false,
    reportable: false,
  },
  PROXY_SELECT_UNREADABLE: {
    message: 'The select of the request cannot be read',
    status: 400,
    retryable: false,
    reportable: false,
  },
  PROXY_SELECT_TOO_LARGE: {
    message: 'The request embeds more than {embeds} relations, or nests deeper than {depth} levels',
    status: 400,
    retryable: false,
    reportable: false,
  },
  PROXY_ROWS_NOT_NAMED: { message: '{reason}', status: 400, retryable: false, reportable: false },
  PROXY_TOO_MANY_CALLS: {
    message: 'Too many of your calls are under way, try again in a moment',
    status: 429,
    retryable: true,
    reportable: false,
  },
  PROXY_BACKEND_UNAVAILABLE: {
    message: 'The backend does not answer',
    status: 503,
    retryable: true,
    reportable: false,
  },
  PROXY_BACKEND_TIMEOUT: {
    message: 'The backend did not answer in time',
    status: 504,
    retryable: true,
    reportable: false,
  },
  PROXY_BACKEND_BAD_ANSWER: {
    message: 'The backend gave an answer that cannot be read',
    status: 502,
    retryable: true,
    reportable: true,
  },
  // Only ever in the log: nobody is left to read it.
  PROXY_CALLER_GONE: { message: 'The caller has gone', status: 499, retryable: false, reportable: false },
  // The three below are sent with the backend's own status and, where it has one, its own message.
  PROXY_BACKEND_REFUSED: {
    message: 'The backend refused the request',
    status: 400,
    retryable: false,
    reportable: false,
  },
  PROXY_NOT_OFFERED: {
    message: 'This backend does not offer this',
    status: 404,
    retryable: false,
    reportable: false,
  },
  PROXY_BACKEND_FAILED: {
    message: 'The backend failed to do this',
    status: 500,
    retryable: false,
    reportable: false,
  },
})
