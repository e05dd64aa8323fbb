import type { FlowKind } from '@watchroom/shared/access'
import { type Flow, FlowSchema } from '@watchroom/shared/identity'

import { RequestError } from '../../api/request.ts'

/** What to do when the identity service refuses a step. */
export type FlowReaction =
  /** Show the form again, with the service's remarks on it. */
  | { do: 'show-flow'; flow: Flow }
  /** Begin a new conversation, telling why. */
  | { do: 'restart'; notice?: string; withoutReturnTo?: true }
  /** Go to another page of ours. */
  | { do: 'go'; path: string; search?: Record<string, string> }
  /** Leave for an address the service gives. */
  | { do: 'leave'; url: string }
  /** Say why; `isWorthRetrying` when the same step may succeed later. */
  | { do: 'fail'; message: string; isWorthRetrying: boolean }

export type FlowStep = 'start' | 'read' | 'submit'

const EXPIRED = 'Your interaction expired, please fill out the form again.'
const CSRF = 'A security violation was detected, please fill out the form again.'
const RETURN_TO_FORBIDDEN = 'The return_to address is not allowed.'

/**
 * The error table of the first specification, section 8.
 *
 * @param here path and query to come back to after signing in again
 */
export function flowReaction(error: unknown, kind: FlowKind, step: FlowStep, here: string): FlowReaction {
  if (!(error instanceof RequestError)) {
    const message = error instanceof Error ? error.message : 'Something went wrong'
    return { do: 'fail', message, isWorthRetrying: true }
  }
  const page = pageThatAnswered(error)
  if (page) {
    const returnTo = new URL(here, page).searchParams.get('return_to')
    const search = { ...(returnTo !== null && { return_to: returnTo }), ...Object.fromEntries(page.searchParams) }
    return { do: 'go', path: page.pathname, search }
  }
  const { code, redirectTo, message } = error.details
  switch (code) {
    case 'session_aal2_required':
      return { do: 'go', path: '/login', search: { aal: 'aal2', return_to: here } }
    case 'session_already_available':
      return { do: 'go', path: '/' }
    case 'session_refresh_required':
      return { do: 'go', path: '/login', search: { refresh: 'true', return_to: here } }
    case 'session_inactive':
      return { do: 'go', path: '/login', search: { return_to: here } }
    case 'self_service_flow_return_to_forbidden':
      return { do: 'restart', notice: RETURN_TO_FORBIDDEN, withoutReturnTo: true }
    case 'self_service_flow_expired':
      return { do: 'restart', notice: EXPIRED }
    case 'security_csrf_violation':
      return { do: 'restart', notice: CSRF }
    case 'security_identity_mismatch':
      return { do: 'restart' }
    case 'browser_location_change_required':
      if (redirectTo !== undefined && isWebAddress(redirectTo)) return { do: 'leave', url: redirectTo }
      break
    case undefined:
      break
    default:
      break
  }

  // 429: too many wrong passwords; the form says when to try again.
  if ((error.status === 400 || error.status === 429) && step === 'submit') {
    const flow = FlowSchema.safeParse(error.body)
    if (flow.success) return { do: 'show-flow', flow: flow.data }
  }
  if (kind === 'verification') {
    if (error.status === 403) return { do: 'restart' }
    if (error.status === 400 && step === 'start') return { do: 'go', path: '/' }
  }
  if (error.status === 410) return { do: 'restart', notice: EXPIRED }
  // A flow that is unknown (404) or someone else's (403) cannot be continued; a new one can.
  if (step === 'read' && (error.status === 404 || error.status === 403)) return { do: 'restart' }
  if (kind === 'settings' && error.status === 401) {
    return { do: 'go', path: '/login', search: { return_to: here } }
  }
  // A refusal without a cure of its own, for example that registration is not offered here.
  const isRefusal = error.status >= 400 && error.status < 500 && error.status !== 429
  return { do: 'fail', message, isWorthRetrying: !isRefusal }
}

/** The service leads some steps on with a redirect to one of our pages, even where a script asked. */
function pageThatAnswered({ address }: RequestError): URL | null {
  if (address === undefined || !URL.canParse(address)) return null
  const url = new URL(address)
  return url.origin === window.location.origin && !url.pathname.startsWith('/api/') ? url : null
}

/** The service names addresses of its own choosing; a script address is none of them. */
function isWebAddress(address: string): boolean {
  return URL.canParse(address, window.location.origin)
    ? ['http:', 'https:'].includes(new URL(address, window.location.origin).protocol)
    : false
}
