// Refusals in the identity service's own words: ids, statuses and reasons that Kratos clients know.
import { STATUS_CODES } from 'node:http'

import type { IdentityError, IdentityErrorId } from '@watchroom/shared/identity'

interface Refusal {
  readonly id?: IdentityErrorId
  readonly code: number
  readonly reason: string
  readonly message: string
}

/** Thrown by the self-service routes; their error handler writes it. */
export class IdentityRefusal extends Error {
  override readonly name = 'IdentityRefusal'
  readonly statusCode: number
  readonly body: IdentityError & Readonly<Record<string, unknown>>

  constructor(refusal: Refusal, extra: Readonly<Record<string, unknown>> = {}) {
    super(refusal.reason)
    this.statusCode = refusal.code
    const status = STATUS_CODES[refusal.code]
    this.body = { error: { ...refusal, ...(status === undefined ? {} : { status }) }, ...extra }
  }
}

export const REFUSALS = {
  noSession: {
    code: 401,
    reason: 'No valid session credentials found in the request.',
    message: 'The request could not be authorized',
  },
  sessionInactive: {
    id: 'session_inactive',
    code: 401,
    reason: 'No active session was found in this request.',
    message: 'request does not have a valid authentication session',
  },
  ownSession: {
    code: 400,
    reason: 'Unable to revoke the session that this request was made with. Use the logout flow instead.',
    message: 'The request was malformed or contained invalid parameters',
  },
  sessionNotFound: {
    code: 404,
    reason: 'You have no such session.',
    message: 'Unable to locate the resource',
  },
  sessionAlreadyAvailable: {
    id: 'session_already_available',
    code: 400,
    reason: 'A valid session was detected and thus login is not possible. Did you forget to set `?refresh=true`?',
    message: 'The request was malformed or contained invalid parameters',
  },
  returnToForbidden: {
    id: 'self_service_flow_return_to_forbidden',
    code: 400,
    reason: 'Only paths of this site are allowed as return_to.',
    message: 'requested return_to address is not allowed',
  },
  csrfViolation: {
    id: 'security_csrf_violation',
    code: 403,
    reason: 'Please retry the flow and optionally clear your cookies. The anti-forgery token is missing or wrong.',
    message: 'the request was rejected to protect you from Cross-Site-Request-Forgery',
  },
  flowNotFound: {
    code: 404,
    reason: 'The flow does not exist or was already completed.',
    message: 'Unable to locate the resource',
  },
  linkDisabled: {
    code: 404,
    reason: 'This self-service flow is not offered here. Ask an administrator.',
    message: 'The requested resource could not be found',
  },
  databaseAway: {
    code: 503,
    reason: 'The database is being restarted. Try again.',
    message: 'The service is not available',
  },
  unreadableBody: {
    code: 400,
    reason: 'Unable to read the form.',
    message: 'The request was malformed or contained invalid parameters',
  },
} as const satisfies Record<string, Refusal>

/** @param useFlowId the flow that replaces the expired one */
export function flowExpired(expiredAt: Date, now: number, useFlowId: string): IdentityRefusal {
  const minutes = ((now - expiredAt.getTime()) / 60_000).toFixed(2)
  return new IdentityRefusal(
    {
      id: 'self_service_flow_expired',
      code: 410,
      reason: `The self-service flow expired ${minutes} minutes ago, initialize a new one.`,
      message: 'self-service flow expired',
    },
    { expired_at: expiredAt.toISOString(), since: now - expiredAt.getTime(), use_flow_id: useFlowId },
  )
}
