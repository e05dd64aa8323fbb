// Answers in place of the identity service, which in hosted mode is the provider: whether there is a session, and where to get one.
import type { IdentityError } from '@watchroom/shared/identity'

import type { HostedSession } from './contract.ts'
import { toKratosSession } from './createHostedBackend.ts'

export interface IdentityAnswer {
  readonly status: number
  readonly body: unknown
}

const FLOW = /^\/self-service\/(\w+)\/browser$/
const ELSEWHERE = 'Your identity provider keeps this. Ask your administrator where to find it.'

/** @param path below the identity service's root */
export function answerIdentity(
  path: string,
  returnTo: string | undefined,
  session: HostedSession | null,
): IdentityAnswer {
  if (path === '/sessions/whoami') {
    if (!session) return refuse(401, 'session_inactive', 'No active session was found.')
    if (!session.organization) return leave(toChooser(returnTo))
    return { status: 200, body: toKratosSession(session, session.subject) }
  }
  const flow = FLOW.exec(path)?.[1]
  if (flow !== 'login' && flow !== 'registration') return refuse(404, undefined, ELSEWHERE)
  if (!session) return leave(withReturn('/gateway/hosted/sign-in', returnTo))
  if (!session.organization) return leave(toChooser(returnTo))
  return refuse(400, 'session_already_available', 'You are signed in already.')
}

export const toChooser = (returnTo: string | undefined): string => withReturn('/organizations', returnTo)

const withReturn = (path: string, returnTo: string | undefined): string =>
  returnTo === undefined ? path : `${path}?${new URLSearchParams({ return_to: returnTo }).toString()}`

/** For a page that must be loaded anew, from there. */
export const leave = (to: string): IdentityAnswer => ({
  status: 422,
  body: { ...toError(422, 'browser_location_change_required', 'Go on elsewhere.'), redirect_browser_to: to },
})

const refuse = (status: number, id: string | undefined, message: string): IdentityAnswer => ({
  status,
  body: toError(status, id, message),
})

const toError = (code: number, id: string | undefined, message: string): IdentityError => ({
  error: { ...(id === undefined ? {} : { id }), code, message },
})
