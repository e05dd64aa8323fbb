// The Kratos self-service API under `/kratos`: login, logout, who am I, and the one-time sign-in link.
import { IDENTITY_ROUTES, type RouteRule } from '@watchroom/shared/access'
import {
  FlowErrorSchema,
  FlowSchema,
  LogoutFlowSchema,
  type Session,
  SessionSchema,
  SignedInSchema,
} from '@watchroom/shared/identity'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'

import { registerRoutes, type RouteTable } from '../../platform/http/defineRoute.ts'
import { isDatabaseAway } from '../postgres/isDatabaseAway.ts'
import { BACKEND_POLICY, defineBackendRoute } from '../server/backendPolicy.ts'
import type { BackendContext } from '../server/context.ts'
import { forwardedAddress, forwardedBlock } from '../server/forwarded.ts'
import type { Principal } from '../server/principal.ts'
import { toDatabaseRefusal } from '../server/toDatabaseRefusal.ts'
import { CSRF_COOKIE, DEVICE_COOKIE, readCookie, SESSION_COOKIE, setCookie } from './cookies.ts'
import { createFlowErrors } from './createFlowErrors.ts'
import {
  type ActiveSession,
  type Identity,
  type IdentityService,
  SESSION_LIFETIME_MS,
  type SessionDevice,
  type SignInMethod,
} from './createIdentityService.ts'
import { createLoginFlows, csrfTokenOf } from './createLoginFlows.ts'
import { flowExpired, IdentityRefusal, REFUSALS } from './identityErrors.ts'
import { LOGIN_MESSAGES, type LoginFlow, type LoginState, loginUrl, logoutUrl, toFlow } from './loginFlow.ts'
import { deriveToken, isSameSecret, newToken } from './secrets.ts'

const MAX_BODY_BYTES = 16_384
/** Longer passwords are refused before they are hashed. */
const MAX_PASSWORD_LENGTH = 1_024
const CSRF_COOKIE_AGE_S = 365 * 86_400
const DEVICE_COOKIE_AGE_S = 365 * 86_400
/** What programs call themselves may be long; a list of sessions shows the beginning. */
const MAX_USER_AGENT_LENGTH = 300

/** What is known of the identity service and not offered here; `ROUTE_ACCESS` lets nothing else in. */
const OTHER_FLOWS = { method: 'ANY', path: '/kratos/*', access: 'public' } as const satisfies RouteRule

const text = z.string().catch('')
const CountSchema = z.object({ count: z.number() })
const LoginQuerySchema = z.object({ return_to: z.string().optional().catch(undefined), refresh: text, aal: text })
const LoginBodySchema = z.object({
  csrf_token: text,
  method: text,
  identifier: text,
  /** Older clients name the field so. */
  password_identifier: text,
  password: z.string().max(MAX_PASSWORD_LENGTH).catch(''),
})

type LoginQuery = z.output<typeof LoginQuerySchema>
type LoginBody = z.output<typeof LoginBodySchema>

export async function identityRoutes(
  app: FastifyInstance,
  { context, identity }: { context: BackendContext; identity: IdentityService },
): Promise<void> {
  const { clock } = context
  const flows = createLoginFlows(context)
  const flowErrors = createFlowErrors(context)

  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: MAX_BODY_BYTES },
    (_request, body, done) => done(null, Object.fromEntries(new URLSearchParams(String(body)))),
  )
  app.setErrorHandler(async (error, request, reply) => {
    if (error instanceof IdentityRefusal) {
      return isNavigation(request) ? redirectRefused(error, reply) : reply.code(error.statusCode).send(error.body)
    }
    const sent = error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : 500
    const status = toDatabaseRefusal(error)?.status ?? sent
    if (status < 500)
      return reply.code(status).send(new IdentityRefusal({ ...REFUSALS.unreadableBody, code: status }).body)
    if (isDatabaseAway(error)) {
      return reply.code(503).header('retry-after', '1').send(new IdentityRefusal(REFUSALS.databaseAway).body)
    }
    context.logger.error({ err: error, path: request.routeOptions.url }, 'identity request failed')
    return reply
      .code(500)
      .send({ error: { code: 500, status: 'Internal Server Error', message: 'An internal server error occurred' } })
  })

  /** A person who navigated here sees a page of the product, not JSON. */
  const redirectRefused = async ({ body }: IdentityRefusal, reply: FastifyReply): Promise<FastifyReply> => {
    if (body.use_flow_id !== undefined) return reply.redirect(loginUrl(body.use_flow_id), 303)
    return reply.redirect(`/error?id=${await flowErrors.create(body.error)}`, 303)
  }

  const sessionOf = async (request: FastifyRequest): Promise<ActiveSession | null> => {
    const token = sessionToken(request)
    return token === '' ? null : identity.findSession(token)
  }

  const signIn = async (request: FastifyRequest, reply: FastifyReply, person: Identity, method: SignInMethod) => {
    // The session that this browser had is replaced, so that a token planted before the sign-in is worth nothing.
    const previous = readCookie(request, SESSION_COOKIE)
    if (previous !== '') await identity.endSession(previous)
    const { token, session } = await identity.createSession(person, method, deviceOf(request))
    setCookie(request, reply, { name: SESSION_COOKIE, value: token, maxAgeS: SESSION_LIFETIME_MS / 1_000 })
    return session
  }

  const createFlow = async (
    request: FastifyRequest,
    reply: FastifyReply,
    kind: 'browser' | 'api',
    query: LoginQuery,
    state: Partial<LoginState> = {},
  ): Promise<LoginFlow> => {
    const returnTo = query.return_to === undefined || query.return_to === '' ? null : query.return_to
    if (returnTo !== null && !isOwnPath(returnTo)) throw new IdentityRefusal(REFUSALS.returnToForbidden)
    return flows.create({
      kind,
      csrfCookie: kind === 'browser' ? ensureCsrfCookie(request, reply) : '',
      returnTo,
      state: {
        requestUrl: context.options.publicUrl + (request.raw.url ?? ''),
        refresh: query.refresh === 'true',
        requestedAal: query.aal === 'aal2' ? 'aal2' : 'aal1',
        identifier: '',
        messages: [],
        fieldMessages: {},
        ...state,
      },
    })
  }

  const startLogin = async (call: FlowCall & { readonly query: LoginQuery }, kind: 'browser' | 'api') => {
    const { request, reply, query } = call
    const flow = await createFlow(request, reply, kind, query)
    if (!flow.state.refresh && (await sessionOf(request))) {
      if (kind === 'browser' && !wantsJson(request)) return reply.redirect(flow.returnTo ?? '/', 303)
      throw new IdentityRefusal(REFUSALS.sessionAlreadyAvailable)
    }
    return kind === 'browser' && !wantsJson(request) ? reply.redirect(loginUrl(flow.id), 303) : toFlow(flow)
  }

  /** @throws IdentityRefusal when there is no such flow, it has expired, or it belongs to another browser */
  const requireFlow = async (request: FastifyRequest, reply: FastifyReply, id: string): Promise<LoginFlow> => {
    const flow = await flows.find(id)
    if (!flow) throw new IdentityRefusal(REFUSALS.flowNotFound)
    if (flow.expiresAt.getTime() <= clock.now()) {
      const next = await flows.create({
        kind: flow.kind,
        csrfCookie: flow.kind === 'browser' ? ensureCsrfCookie(request, reply) : '',
        returnTo: flow.returnTo,
        state: { ...flow.state, messages: [], fieldMessages: {} },
      })
      throw flowExpired(flow.expiresAt, clock.now(), next.id)
    }
    if (flow.kind === 'browser' && csrfTokenOf(flow.id, readCookie(request, CSRF_COOKIE)) !== flow.csrfToken) {
      throw new IdentityRefusal(REFUSALS.csrfViolation)
    }
    return flow
  }

  const submitLogin = async (call: FlowCall & { readonly query: { flow: string }; readonly body: LoginBody }) => {
    const { request, reply, body } = call
    const flow = await requireFlow(request, reply, call.query.flow)
    if (flow.kind === 'browser' && !isSameSecret(body.csrf_token, flow.csrfToken)) {
      throw new IdentityRefusal(REFUSALS.csrfViolation)
    }
    const identifier = body.identifier || body.password_identifier
    const refuse = async (changes: Partial<LoginState>, status = 400) => {
      const updated = await flows.update(flow, { identifier, messages: [], fieldMessages: {}, ...changes })
      if (isForm(request, flow)) return reply.redirect(loginUrl(flow.id), 303)
      void reply.code(status)
      return toFlow(updated)
    }
    const missing = Object.entries({ identifier, password: body.password }).filter(([, value]) => value === '')
    if (missing.length > 0) {
      return refuse({
        fieldMessages: Object.fromEntries(missing.map(([name]) => [name, [LOGIN_MESSAGES.missing(name)]])),
      })
    }
    const device = flow.kind === 'browser' ? readCookie(request, DEVICE_COOKIE) || newToken() : ''
    const check = await identity.checkPassword(identifier, body.password, { address: forwardedBlock(request), device })
    switch (check.kind) {
      case 'wrong':
        return refuse({ messages: [LOGIN_MESSAGES.wrong] })
      case 'inactive':
        return refuse({ messages: [LOGIN_MESSAGES.inactive] })
      case 'wait':
        reply.header('retry-after', Math.ceil(check.waitMs / 1_000))
        return refuse({ messages: [LOGIN_MESSAGES.wait(check.waitMs)] }, 429)
      case 'right':
        await flows.complete(flow)
    }
    if (flow.kind === 'api') {
      const { token, session } = await identity.createSession(check.identity, 'password', deviceOf(request))
      return { session_token: token, session: toSession(session) }
    }
    const session = await signIn(request, reply, check.identity, 'password')
    setCookie(request, reply, { name: DEVICE_COOKIE, value: device, maxAgeS: DEVICE_COOKIE_AGE_S })
    if (isForm(request, flow)) return reply.redirect(flow.returnTo ?? '/', 303)
    return { session: toSession(session) }
  }

  const requireSession = async (request: FastifyRequest): Promise<ActiveSession> => {
    const session = await sessionOf(request)
    if (!session) throw new IdentityRefusal(REFUSALS.noSession)
    return session
  }

  const routes = {
    session: defineBackendRoute({
      rule: IDENTITY_ROUTES.session,
      response: SessionSchema,
      handle: async ({ request, reply }) => {
        const session = await requireSession(request)
        void reply.header('x-kratos-authenticated-identity-id', session.identity.id)
        return toSession(session)
      },
    }),
    /** As the identity service has it: the others of this person, without the one that asks. */
    otherSessions: defineBackendRoute({
      rule: IDENTITY_ROUTES.otherSessions,
      response: z.array(SessionSchema),
      handle: async ({ request }) => {
        const own = await requireSession(request)
        const sessions = await identity.listSessions(own.identity.id)
        return sessions.filter(({ id }) => id !== own.id).map(toSession)
      },
    }),
    endOtherSessions: defineBackendRoute({
      rule: IDENTITY_ROUTES.endOtherSessions,
      response: CountSchema,
      handle: async ({ request }) => {
        const own = await requireSession(request)
        return { count: await identity.endSessions(own.identity.id, { except: own.id }) }
      },
    }),
    endSession: defineBackendRoute({
      rule: IDENTITY_ROUTES.endSession,
      params: z.object({ id: z.string() }),
      response: 'empty',
      handle: async ({ params: { id }, request }) => {
        const own = await requireSession(request)
        if (id === own.id) throw new IdentityRefusal(REFUSALS.ownSession)
        const count = z.guid().safeParse(id).success ? await identity.endSessions(own.identity.id, { only: id }) : 0
        if (count === 0) throw new IdentityRefusal(REFUSALS.sessionNotFound)
      },
    }),

    startBrowserLogin: defineBackendRoute({
      rule: IDENTITY_ROUTES.startBrowserLogin,
      query: LoginQuerySchema,
      response: FlowSchema,
      handle: (call) => startLogin(call, 'browser'),
    }),
    startApiLogin: defineBackendRoute({
      rule: IDENTITY_ROUTES.startApiLogin,
      query: LoginQuerySchema,
      response: FlowSchema,
      handle: (call) => startLogin(call, 'api'),
    }),
    readLogin: defineBackendRoute({
      rule: IDENTITY_ROUTES.readLogin,
      query: z.object({ id: text }),
      response: FlowSchema,
      handle: async ({ request, reply, query }) => toFlow(await requireFlow(request, reply, query.id)),
    }),
    submitLogin: defineBackendRoute({
      rule: IDENTITY_ROUTES.submitLogin,
      query: z.object({ flow: text }),
      // A form without a field is told which are missing.
      body: z.preprocess((body) => body ?? {}, LoginBodySchema),
      maxBodyBytes: MAX_BODY_BYTES,
      response: z.union([SignedInSchema, FlowSchema]),
      handle: submitLogin,
    }),

    startLogout: defineBackendRoute({
      rule: IDENTITY_ROUTES.startLogout,
      response: LogoutFlowSchema,
      handle: async ({ request }) => {
        const token = readCookie(request, SESSION_COOKIE)
        if (token === '' || !(await identity.findSession(token))) throw new IdentityRefusal(REFUSALS.sessionInactive)
        const logoutToken = logoutTokenOf(token)
        return { logout_token: logoutToken, logout_url: logoutUrl(logoutToken) }
      },
    }),
    logout: defineBackendRoute({
      rule: IDENTITY_ROUTES.logout,
      query: z.object({ return_to: text, token: text }),
      response: 'own',
      handle: async ({ request, reply, query: { return_to: returnTo, token: logoutToken } }) => {
        if (returnTo !== '' && !isOwnPath(returnTo)) throw new IdentityRefusal(REFUSALS.returnToForbidden)
        const token = readCookie(request, SESSION_COOKIE)
        if (token !== '') {
          // Without this proof any page could sign people out with a picture.
          if (!isSameSecret(logoutToken, logoutTokenOf(token))) throw new IdentityRefusal(REFUSALS.csrfViolation)
          await identity.endSession(token)
        }
        setCookie(request, reply, { name: SESSION_COOKIE, value: '', maxAgeS: 0 })
        if (wantsJson(request)) return reply.code(204).send()
        return reply.redirect(returnTo === '' ? '/login' : returnTo, 303)
      },
    }),
    logoutApi: defineBackendRoute({
      rule: IDENTITY_ROUTES.logoutApi,
      body: z.object({ session_token: z.string() }),
      maxBodyBytes: MAX_BODY_BYTES,
      response: 'empty',
      handle: async ({ body }) => identity.endSession(body.session_token),
    }),

    useSignInLink: defineBackendRoute({
      rule: IDENTITY_ROUTES.useSignInLink,
      query: z.object({ ...LoginQuerySchema.shape, token: text }),
      response: 'own',
      handle: async ({ request, reply, query }) => {
        if (query.token === '') throw new IdentityRefusal(REFUSALS.linkDisabled)
        void reply.header('cache-control', 'no-store').header('referrer-policy', 'no-referrer')
        const person = await identity.redeemSignInLink(query.token)
        if (!person) {
          const flow = await createFlow(request, reply, 'browser', query, { messages: [LOGIN_MESSAGES.linkInvalid] })
          return reply.redirect(loginUrl(flow.id), 303)
        }
        await signIn(request, reply, person, 'link_recovery')
        return reply.redirect('/', 303)
      },
    }),
    readError: defineBackendRoute({
      rule: IDENTITY_ROUTES.readError,
      query: z.object({ id: text }),
      response: FlowErrorSchema,
      handle: async ({ query }) => {
        const found = await flowErrors.find(query.id)
        if (!found) throw new IdentityRefusal(REFUSALS.flowNotFound)
        return found
      },
    }),
  } satisfies RouteTable<typeof IDENTITY_ROUTES, Principal>

  const otherFlows = defineBackendRoute({
    rule: OTHER_FLOWS,
    response: 'own',
    handle: () => {
      throw new IdentityRefusal(REFUSALS.linkDisabled)
    },
  })
  registerRoutes(
    app,
    { ...routes, otherFlows },
    {
      ...BACKEND_POLICY,
      toError: () => new IdentityRefusal(REFUSALS.unreadableBody),
    },
  )
}

interface FlowCall {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
}

const logoutTokenOf = (sessionToken: string): string => deriveToken('logout', sessionToken)

/** Header first: a script that sends one means it. */
function sessionToken(request: FastifyRequest): string {
  const header = request.headers['x-session-token']
  return typeof header === 'string' && header !== '' ? header : readCookie(request, SESSION_COOKIE)
}

function ensureCsrfCookie(request: FastifyRequest, reply: FastifyReply): string {
  const existing = readCookie(request, CSRF_COOKIE)
  if (existing !== '') return existing
  const made = newToken()
  setCookie(request, reply, { name: CSRF_COOKIE, value: made, maxAgeS: CSRF_COOKIE_AGE_S })
  return made
}

/** A browser that navigates asks for HTML; scripts and the web client ask for JSON. */
function wantsJson(request: FastifyRequest): boolean {
  const accept = request.headers.accept ?? ''
  return accept.includes('application/json') && !accept.includes('text/html')
}

const isNavigation = (request: FastifyRequest): boolean => (request.headers.accept ?? '').includes('text/html')

const isForm = (request: FastifyRequest, flow: LoginFlow): boolean => flow.kind === 'browser' && !wantsJson(request)

/** Paths of this site only: `//host`, `/\host` and control characters would lead elsewhere in some browser. */
function isOwnPath(path: string): boolean {
  return /^\/(?![/\\])[^\\\p{Cc}]*$/u.test(path)
}

function deviceOf(request: FastifyRequest): SessionDevice {
  return {
    address: forwardedAddress(request),
    userAgent: request.headers['user-agent']?.slice(0, MAX_USER_AGENT_LENGTH) ?? null,
  }
}

function toSession(session: ActiveSession): Session {
  const { identity } = session
  const authenticatedAt = session.authenticatedAt.toISOString()
  return {
    id: session.id,
    active: true,
    expires_at: session.expiresAt.toISOString(),
    authenticated_at: authenticatedAt,
    authenticator_assurance_level: 'aal1',
    authentication_methods: [{ method: session.method, aal: 'aal1', completed_at: authenticatedAt }],
    issued_at: session.issuedAt.toISOString(),
    identity: {
      id: identity.id,
      schema_id: 'default',
      schema_url: '',
      state: identity.state,
      state_changed_at: identity.stateChangedAt.toISOString(),
      traits: { email: identity.email, name: { first: identity.firstName, last: identity.lastName } },
      created_at: identity.createdAt.toISOString(),
      updated_at: identity.updatedAt.toISOString(),
    },
    devices: [
      {
        id: session.id,
        ip_address: session.device.address ?? '',
        user_agent: session.device.userAgent ?? '',
        location: '',
      },
    ],
  }
}
