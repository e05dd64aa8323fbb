// Sessions as requests carry them: found by cookie or header, opened with both.
import { SESSION_COOKIE } from '@watchroom/shared/identity'
import type { FastifyReply, FastifyRequest } from 'fastify'

import { setCookie } from '../cookies.ts'
import type { Identity } from '../identity.ts'
import { aal2Required, IdentityRefusal, REFUSALS } from '../identityErrors.ts'
import { deviceOf, type Flavour, renewCsrfCookie, sessionTokenOf } from '../requests.ts'
import {
  type ActiveSession,
  isComplete,
  SESSION_LIFETIME_MS,
  type SessionProof,
  type Sessions,
} from './createSessions.ts'

export interface OpenedSession {
  readonly session: ActiveSession
  /** For programs alone; browsers have a cookie. */
  readonly token: string
}

export interface SessionKeeper {
  /** Also one whose second factor is missing. */
  find(request: FastifyRequest, flavour?: Flavour): Promise<ActiveSession | null>
  /** @throws IdentityRefusal when there is none, or its second factor is missing */
  require(request: FastifyRequest, flavour?: Flavour, returnTo?: string | null): Promise<ActiveSession>
  /**
   * Opens a session in place of the one that came with the request, so that a token planted before is worth nothing. What the
   * same person proved in that one still counts.
   */
  open(
    request: FastifyRequest,
    reply: FastifyReply,
    flavour: Flavour,
    signedIn: { readonly identity: Identity; readonly proof: Omit<SessionProof, 'completedAt'> },
  ): Promise<OpenedSession>
}

export function createSessionKeeper(sessions: Sessions): SessionKeeper {
  const find = async (request: FastifyRequest, flavour?: Flavour): Promise<ActiveSession | null> => {
    const token = sessionTokenOf(request, flavour)
    return token === '' ? null : sessions.findAnySession(token)
  }

  return {
    find,

    require: async (request, flavour, returnTo = null) => {
      const session = await find(request, flavour)
      if (!session) throw new IdentityRefusal(flavour ? REFUSALS.sessionInactive : REFUSALS.noSession, {}, '/login')
      if (!isComplete(session)) throw aal2Required(returnTo)
      return session
    },

    open: async (request, reply, flavour, { identity, proof }) => {
      const replaced = sessionTokenOf(request, flavour)
      const previous = replaced === '' ? null : await sessions.findAnySession(replaced)
      const inherited = previous?.identity.id === identity.id ? previous.proofs : []
      const opened = await sessions.createSession(identity, [proof], deviceOf(request), inherited)
      if (replaced !== '') await sessions.endSession(replaced)
      if (flavour === 'browser') {
        renewCsrfCookie(request, reply)
        setCookie(request, reply, {
          name: SESSION_COOKIE,
          value: opened.token,
          maxAgeS: SESSION_LIFETIME_MS / 1_000,
        })
      }
      return opened
    },
  }
}
