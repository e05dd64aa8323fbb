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
  /** Where a person who navigated goes on; null where only an explanation is left. */
  readonly goesOn: string | null

  constructor(refusal: Refusal, extra: Readonly<Record<string, unknown>> = {}, goesOn: string | null = null) {
    super(refusal.reason)
    this.goesOn = goesOn
    this.statusCode = refusal.code
    const status = STATUS_CODES[refusal.code]
    this.body = { error: { ...refusal, ...(status === undefined ? {} : { status }) }, ...extra }
  }
}

/** There is no such form here at present: the caller did nothing wrong. */
export class FlowNotOffered extends IdentityRefusal {}

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
  loginWhileSignedIn: {
    id: 'session_already_available',
    code: 400,
    reason: 'A valid session was detected and thus login is not possible. Did you forget to set `?refresh=true`?',
    message: 'you are already logged in',
  },
  signedIn: {
    id: 'session_already_available',
    code: 400,
    reason: 'A valid session was detected and thus this is not possible.',
    message: 'you are already logged in',
  },
  registrationWhileSignedIn: {
    id: 'session_already_available',
    code: 400,
    reason: 'A valid session was detected and thus registration is not possible.',
    message: 'you are already logged in',
  },
  registrationOff: {
    code: 404,
    reason: 'Accounts are made by administrators here. Ask one of them.',
    message: 'The requested resource could not be found',
  },
  invitationNeeded: {
    code: 403,
    reason: 'Accounts are made by invitation here. Ask an administrator.',
    message: 'The requested action was forbidden',
  },
  invitationInvalid: {
    code: 403,
    reason: 'The invitation is invalid or has already been used. Ask for another one.',
    message: 'The requested action was forbidden',
  },
  takenMeanwhile: {
    code: 409,
    reason: 'Someone else has registered this e-mail address meanwhile.',
    message: 'The resource exists already',
  },
  identityMismatch: {
    id: 'security_identity_mismatch',
    code: 403,
    reason: 'The form belongs to someone else than who is signed in.',
    message: 'The requested action was forbidden',
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
  tooManyFlows: {
    code: 429,
    reason: 'Too many forms were begun from your address. Try again in a moment.',
    message: 'Too many forms were begun from your address. Try again in a moment.',
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

const PUBLIC_LOGIN = '/api/.ory/self-service/login/browser'

/** The session's owner has a second factor that was not given in it. @param returnTo where the person was going */
export function aal2Required(returnTo: string | null): IdentityRefusal {
  const to = `${PUBLIC_LOGIN}?aal=aal2${returnTo === null ? '' : `&return_to=${encodeURIComponent(returnTo)}`}`
  return new IdentityRefusal(
    {
      id: 'session_aal2_required',
      code: 403,
      reason: 'An active session was found, but a second factor is missing. Give it to go on.',
      message: 'Session does not fulfill the requested Authenticator Assurance Level',
    },
    { redirect_browser_to: to },
    to,
  )
}

/** The person has to prove again who they are. */
export function refreshRequired(returnTo: string): IdentityRefusal {
  const to = `${PUBLIC_LOGIN}?refresh=true&return_to=${encodeURIComponent(returnTo)}`
  return new IdentityRefusal(
    {
      id: 'session_refresh_required',
      code: 403,
      reason: 'The sign-in is too long ago to change this. Please sign in again.',
      message: 'The requested action was forbidden',
    },
    { redirect_browser_to: to },
    to,
  )
}

/** The flow goes on at another address, which a script cannot follow by itself. */
export function movedTo(to: string): IdentityRefusal {
  return new IdentityRefusal(
    {
      id: 'browser_location_change_required',
      code: 422,
      reason: `In order to complete this flow please redirect the browser to: ${to}`,
      message: 'browser location change required',
    },
    { redirect_browser_to: to },
    to,
  )
}

/** @param useFlowId the flow that replaces the expired one */
export function flowExpired(expiredAt: Date, now: number, useFlowId: string, page: string): IdentityRefusal {
  const minutes = ((now - expiredAt.getTime()) / 60_000).toFixed(2)
  return new IdentityRefusal(
    {
      id: 'self_service_flow_expired',
      code: 410,
      reason: `The self-service flow expired ${minutes} minutes ago, initialize a new one.`,
      message: 'self-service flow expired',
    },
    { expired_at: expiredAt.toISOString(), since: now - expiredAt.getTime(), use_flow_id: useFlowId },
    `${page}?flow=${useFlowId}`,
  )
}
