import { defineErrors } from '../platform/errors.ts'

/** The first five reach a subscriber, as `denied` or with `source`; the rest end the socket with the code of `closeCodes.ts`. */
export const liveErrors = defineErrors({
  LIVE_TOPIC_UNKNOWN: { message: 'There is no such topic', status: 404, retryable: false, reportable: false },
  LIVE_TOPIC_FORBIDDEN: {
    message: 'You do not have permission to see this',
    status: 403,
    retryable: false,
    reportable: false,
  },
  LIVE_TOPIC_NOT_OFFERED: {
    message: 'This backend does not offer this',
    status: 404,
    retryable: false,
    reportable: false,
  },
  LIVE_TOO_MANY_TOPICS: {
    message: 'Not live: your pages watch too many things at once',
    status: 429,
    retryable: true,
    reportable: false,
  },
  LIVE_NO_ROOM: {
    message: 'Not live: too many people have views of their own right now',
    status: 503,
    retryable: true,
    reportable: true,
  },
  LIVE_RIGHTS_UNCONFIRMED: {
    message: 'The backend cannot be asked at the moment whether you may see this',
    status: 503,
    retryable: true,
    reportable: false,
  },
  LIVE_SESSION_REQUIRED: { message: 'Sign in to continue', status: 401, retryable: false, reportable: false },
  LIVE_SESSION_UNCONFIRMED: {
    message: 'Your session cannot be checked at the moment',
    status: 503,
    retryable: true,
    reportable: true,
  },
  LIVE_DEVICE_REMOVED: {
    message: 'This screen is not let in: its link was revoked or has expired',
    status: 403,
    retryable: false,
    reportable: false,
  },
  LIVE_VERSION_UNKNOWN: {
    message: 'A new release of Watchroom has started: reload the page',
    status: 426,
    retryable: false,
    reportable: false,
  },
  LIVE_MESSAGE_UNREADABLE: { message: 'A message was not understood', status: 400, retryable: false, reportable: true },
  LIVE_RATE_EXCEEDED: { message: 'Too many messages', status: 429, retryable: true, reportable: false },
  LIVE_TOO_MANY_SOCKETS: {
    message: 'You have too many pages open: close some of them',
    status: 429,
    retryable: true,
    reportable: false,
  },
  LIVE_TOO_SLOW: {
    message: 'The connection is too slow, it starts anew',
    status: 503,
    retryable: true,
    reportable: false,
  },
  LIVE_PACKING_FAILED: { message: 'The data could not be sent', status: 500, retryable: true, reportable: true },
  LIVE_DRAINING: {
    message: 'The server restarts, as for a new release',
    status: 503,
    retryable: true,
    reportable: false,
  },
})
