// Who am I, my other sessions, and signing out.
import { IDENTITY_ROUTES } from '@watchroom/shared/access'
import { LogoutFlowSchema, SESSION_COOKIE, SessionSchema } from '@watchroom/shared/identity'
import { z } from 'zod'

import type { RouteTable } from '../../../platform/http/defineRoute.ts'
import { defineBackendRoute } from '../../server/backendPolicy.ts'
import type { Principal } from '../../server/principal.ts'
import { readCookie, setCookie } from '../cookies.ts'
import { PUBLIC_PATH } from '../flows/flow.ts'
import { MAX_BODY_BYTES } from '../flows/registerFlow.ts'
import { IdentityRefusal, REFUSALS } from '../identityErrors.ts'
import { ensureCsrfCookie, toOwnPath, wantsJson } from '../requests.ts'
import { deriveToken, isSameSecret } from '../secrets.ts'
import type { SessionKeeper } from './createSessionKeeper.ts'
import type { Sessions } from './createSessions.ts'
import { toSession } from './toSession.ts'

const {
  session: sessionRule,
  otherSessions,
  endOtherSessions,
  endSession,
  startLogout,
  logout,
  logoutApi,
} = IDENTITY_ROUTES
const RULES = { session: sessionRule, otherSessions, endOtherSessions, endSession, startLogout, logout, logoutApi }

const text = z.string().catch('')
const logoutTokenOf = (sessionToken: string): string => deriveToken('logout', sessionToken)

export function sessionRoutes({ sessions, keeper }: { sessions: Sessions; keeper: SessionKeeper }) {
  return {
    session: defineBackendRoute({
      rule: RULES.session,
      response: SessionSchema,
      handle: async ({ request, reply }) => {
        const session = await keeper.require(request)
        void reply.header('x-kratos-authenticated-identity-id', session.identity.id)
        return toSession(session)
      },
    }),
    /** As the identity service has it: the others of this person, without the one that asks. */
    otherSessions: defineBackendRoute({
      rule: RULES.otherSessions,
      response: z.array(SessionSchema),
      handle: async ({ request }) => {
        const own = await keeper.require(request)
        const all = await sessions.listSessions(own.identity.id)
        return all.filter(({ id }) => id !== own.id).map(toSession)
      },
    }),
    endOtherSessions: defineBackendRoute({
      rule: RULES.endOtherSessions,
      response: z.object({ count: z.number() }),
      handle: async ({ request }) => {
        const own = await keeper.require(request)
        return { count: await sessions.endSessions(own.identity.id, { except: own.id }) }
      },
    }),
    endSession: defineBackendRoute({
      rule: RULES.endSession,
      params: z.object({ id: z.string() }),
      response: 'empty',
      handle: async ({ params: { id }, request }) => {
        const own = await keeper.require(request)
        if (id === own.id) throw new IdentityRefusal(REFUSALS.ownSession)
        const count = z.guid().safeParse(id).success ? await sessions.endSessions(own.identity.id, { only: id }) : 0
        if (count === 0) throw new IdentityRefusal(REFUSALS.sessionNotFound)
      },
    }),

    startLogout: defineBackendRoute({
      rule: RULES.startLogout,
      response: LogoutFlowSchema,
      handle: async ({ request, reply }) => {
        const token = readCookie(request, SESSION_COOKIE)
        // Also without the second factor: whoever is half signed in may leave.
        if (token === '' || !(await sessions.findAnySession(token))) {
          ensureCsrfCookie(request, reply)
          throw new IdentityRefusal(REFUSALS.sessionInactive)
        }
        const logoutToken = logoutTokenOf(token)
        return {
          logout_token: logoutToken,
          logout_url: `${PUBLIC_PATH}/self-service/logout?token=${logoutToken}`,
        }
      },
    }),
    logout: defineBackendRoute({
      rule: RULES.logout,
      query: z.object({ return_to: text, token: text }),
      response: 'own',
      handle: async ({ request, reply, query }) => {
        const returnTo = toOwnPath(request, query.return_to)
        const token = readCookie(request, SESSION_COOKIE)
        if (token !== '') {
          // Without this proof any page could sign people out with a picture.
          if (!isSameSecret(query.token, logoutTokenOf(token))) throw new IdentityRefusal(REFUSALS.csrfViolation)
          await sessions.endSession(token)
        }
        setCookie(request, reply, { name: SESSION_COOKIE, value: '', maxAgeS: 0 })
        if (wantsJson(request)) return reply.code(204).send()
        return reply.redirect(returnTo ?? '/login', 303)
      },
    }),
    logoutApi: defineBackendRoute({
      rule: RULES.logoutApi,
      body: z.object({ session_token: z.string() }),
      maxBodyBytes: MAX_BODY_BYTES,
      response: 'empty',
      handle: async ({ body }) => sessions.endSession(body.session_token),
    }),
  } satisfies RouteTable<typeof RULES, Principal>
}
