// Where people come in and go out in hosted mode, and where they choose their organization.
import { HOSTED_ROUTES } from '@watchroom/shared/access'
import { NextPlaceSchema, OrganizationsSchema } from '@watchroom/shared/identity'
import { isStorable, safeReturnTo } from '@watchroom/shared/kernel'
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteShorthandOptions } from 'fastify'
import { z } from 'zod'

import { CodedError } from '../platform/errors.ts'
import { createDefineRoute, registerRoutes, type RoutePolicy, type RouteTable } from '../platform/http/defineRoute.ts'
import type { HostedSession } from './contract.ts'
import type { HostedSessions } from './createHostedSessions.ts'
import type { Provider } from './createProvider.ts'
import { hostedErrors } from './errors.ts'
import { toChooser } from './identityAnswers.ts'
import { readLogout } from './readLogout.ts'
import { type Cookies, MAX_ATTEMPTS } from './sessionCookie.ts'

export interface HostedRoutesDeps {
  readonly provider: Provider
  readonly issuer: string
  readonly sessions: HostedSessions
  readonly cookies: Cookies
  /** Origins at which people open the product; empty on this machine alone. */
  readonly publicUrls: readonly string[]
  /** Of routes that lead to the provider: attempts are counted. */
  readonly signInRoute: RouteShorthandOptions
}

const MAX_BODY_BYTES = 16_384
const text = z.string().max(2_000).refine(isStorable).optional().catch(undefined)
const ReturnSchema = z.object({ return_to: text })

/** They protect themselves. */
const EVERYONE: RoutePolicy<never> = { admit: () => null, headers: { 'cache-control': 'no-store' } }
const defineRoute = createDefineRoute<never>()

type Places = ReturnType<typeof createPlaces>

/** What the routes have in common. */
function createPlaces(deps: HostedRoutesDeps) {
  const { cookies, sessions } = deps

  /** Never the caller's own word where people open the product by names that the operator gave. */
  const originOf = (request: FastifyRequest): string =>
    deps.publicUrls.find((url) => new URL(url).host === request.host) ?? deps.publicUrls[0] ?? `http://${request.host}`
  const callbackOf = (request: FastifyRequest): string => originOf(request) + HOSTED_ROUTES.callback.path

  const setSession = (
    reply: FastifyReply,
    session: { readonly secret: string; readonly maxAgeS: number },
    organization: string | null,
  ): void => {
    void reply.header('set-cookie', cookies.toSession(session.secret, session.maxAgeS))
    void reply.header('set-cookie', cookies.toOrganization(organization, session.maxAgeS))
  }

  const requireSession = async (request: FastifyRequest): Promise<{ secret: string; session: HostedSession }> => {
    const secret = cookies.readSession(request.headers.cookie)
    const session = secret === null ? null : await sessions.find(secret)
    if (secret === null || session === null) throw new CodedError(hostedErrors.HOSTED_SESSION_REQUIRED)
    return { secret, session }
  }

  return { originOf, callbackOf, setSession, requireSession }
}

/** A page of ours says what went wrong: whoever is here has no page open. */
function explain(reply: FastifyReply, error: unknown): FastifyReply {
  if (!(error instanceof CodedError)) throw error
  return reply.redirect(`/error?error_code=${error.code}`, 302)
}

/** In. */
const entryRoutes = (deps: HostedRoutesDeps, { originOf, callbackOf, setSession }: Places) => {
  const { cookies, provider, sessions } = deps
  return {
    signIn: defineRoute({
      rule: HOSTED_ROUTES.signIn,
      query: ReturnSchema.extend({ prompt: text }),
      response: 'own',
      options: deps.signInRoute,
      handle: async ({ query, request, reply }) => {
        const attempt = provider.createAttempt()
        try {
          const url = await provider.toSignInUrl(attempt, callbackOf(request), query.prompt === 'login')
          for (const name of cookies.attemptNames(request.headers.cookie).slice(MAX_ATTEMPTS - 1)) {
            void reply.header('set-cookie', cookies.clear(name))
          }
          void reply.header('set-cookie', cookies.toAttempt(attempt, safeReturnTo(query.return_to)))
          return reply.redirect(url.href, 302)
        } catch (error) {
          return explain(reply, error)
        }
      },
    }),
    callback: defineRoute({
      rule: HOSTED_ROUTES.callback,
      response: 'own',
      options: deps.signInRoute,
      handle: async ({ request, reply }) => {
        const url = new URL(request.raw.url ?? '', originOf(request))
        const state = url.searchParams.get('state') ?? ''
        const attempt = cookies.readAttempt(request.headers.cookie, state)
        try {
          if (!attempt) throw new CodedError(hostedErrors.HOSTED_SIGN_IN_REFUSED)
          void reply.header('set-cookie', cookies.clear(cookies.attemptName(state)))
          const tokens = await provider.finish(url, attempt)
          // Whatever this browser was before ends here, and the cookie is a new one.
          const before = cookies.readSession(request.headers.cookie)
          if (before !== null) await sessions.end(before)
          const created = await sessions.create(tokens)
          setSession(reply, created, created.organization)
          const returnTo = safeReturnTo(attempt.returnTo)
          return reply.redirect(created.organization === null ? toChooser(returnTo) : returnTo, 302)
        } catch (error) {
          return explain(reply, error)
        }
      },
    }),
  }
}

/** Out, from here and from the provider. */
const exitRoutes = (deps: HostedRoutesDeps, { originOf }: Places) => {
  const { cookies, provider, sessions } = deps
  return {
    signOut: defineRoute({
      rule: HOSTED_ROUTES.signOut,
      body: ReturnSchema.optional(),
      maxBodyBytes: MAX_BODY_BYTES,
      response: NextPlaceSchema,
      handle: async ({ body, request, reply }) => {
        const secret = cookies.readSession(request.headers.cookie)
        const returnTo = safeReturnTo(body?.return_to)
        void reply.header('set-cookie', cookies.clearSession())
        void reply.header('set-cookie', cookies.toOrganization(null, 0))
        const tokens = secret === null ? null : await sessions.end(secret)
        // Where the provider's own session stays, it must not sign the person in again unasked.
        const here = `${HOSTED_ROUTES.signIn.path}?${new URLSearchParams({ prompt: 'login', return_to: returnTo }).toString()}`
        if (!tokens) return { location: here }
        const back = originOf(request) + HOSTED_ROUTES.signedOut.path
        // The session has ended here, whether the provider can be asked or not.
        const url = await provider.toSignOutUrl(tokens, back, returnTo).catch(() => null)
        return { location: url?.href ?? here }
      },
    }),
    signedOut: defineRoute({
      rule: HOSTED_ROUTES.signedOut,
      query: z.object({ state: text }),
      response: 'own',
      handle: ({ query, reply }) => {
        const search = new URLSearchParams({ return_to: safeReturnTo(query.state) })
        return reply.redirect(`/login?${search.toString()}`, 302)
      },
    }),
    backChannelLogout: defineRoute({
      rule: HOSTED_ROUTES.backChannelLogout,
      body: z.object({ logout_token: z.string().max(MAX_BODY_BYTES) }),
      maxBodyBytes: MAX_BODY_BYTES,
      response: 'own',
      handle: async ({ body, reply }) => {
        const logout = readLogout(await provider.verify(body.logout_token))
        if (!logout || !(await sessions.takeOnce(logout.word, logout.expiresAt))) {
          throw new CodedError(hostedErrors.HOSTED_LOGOUT_REFUSED)
        }
        await sessions.endByProvider(logout)
        return reply.send()
      },
    }),
    frontChannelLogout: defineRoute({
      rule: HOSTED_ROUTES.frontChannelLogout,
      query: z.object({ iss: text, sid: text }),
      response: 'own',
      handle: async ({ query, reply }) => {
        // The cookie is not asked for: browsers do not send it into a frame of another site.
        if (query.iss !== deps.issuer || query.sid === undefined || query.sid === '') {
          throw new CodedError(hostedErrors.HOSTED_LOGOUT_REFUSED)
        }
        await sessions.endByProvider({ providerSession: query.sid })
        return reply.type('text/plain').send('')
      },
    }),
  }
}

/** Over to another one. */
const organizationRoutes = (deps: HostedRoutesDeps, { requireSession, setSession }: Places) => {
  const { sessions } = deps
  return {
    listOrganizations: defineRoute({
      rule: HOSTED_ROUTES.listOrganizations,
      response: OrganizationsSchema,
      handle: async ({ request }) => {
        const { session } = await requireSession(request)
        return {
          organizations: session.organizations.map(({ id, name, backendUrl }) => ({
            id,
            name,
            isChosen: id === session.organization?.id,
            isReady: backendUrl !== null,
          })),
        }
      },
    }),
    chooseOrganization: defineRoute({
      rule: HOSTED_ROUTES.chooseOrganization,
      body: z.object({ id: z.string().max(200) }),
      maxBodyBytes: MAX_BODY_BYTES,
      response: 'empty',
      handle: async ({ body, request, reply }) => {
        const { secret } = await requireSession(request)
        const next = await sessions.choose(secret, body.id)
        if (!next) throw new CodedError(hostedErrors.HOSTED_SESSION_REQUIRED)
        setSession(reply, next, body.id)
      },
    }),
  }
}

export async function hostedRoutes(app: FastifyInstance, deps: HostedRoutesDeps): Promise<void> {
  const places = createPlaces(deps)
  const routes = {
    ...entryRoutes(deps, places),
    ...exitRoutes(deps, places),
    ...organizationRoutes(deps, places),
  } satisfies RouteTable<typeof HOSTED_ROUTES, never>

  await app.register(async (scope) => {
    // The provider's word comes as a form.
    scope.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: MAX_BODY_BYTES },
      (_request, body, done) => done(null, Object.fromEntries(new URLSearchParams(String(body)))),
    )
    registerRoutes(scope, routes, EVERYONE)
  })
}
