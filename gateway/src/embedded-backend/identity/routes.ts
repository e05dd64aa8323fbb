// The Kratos self-service API under `/kratos`: login, logout, who am I, and the one-time sign-in link.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'

import { isDatabaseAway } from '../postgres/isDatabaseAway.ts'
import type { BackendContext } from '../server/context.ts'
import { CSRF_COOKIE, readCookie, SESSION_COOKIE, setCookie } from './cookies.ts'
import { createFlowErrors } from './createFlowErrors.ts'
import {
  type ActiveSession,
  type Identity,
  type IdentityService,
  SESSION_LIFETIME_MS,
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

const text = z.string().catch('')
const LoginQuerySchema = z.object({ return_to: z.string().optional().catch(undefined), refresh: text, aal: text })
const LoginBodySchema = z.object({
  csrf_token: text,
  method: text,
  identifier: text,
  /** Older clients name the field so. */
  password_identifier: text,
  password: z.string().max(MAX_PASSWORD_LENGTH).catch(''),
})

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
    const status = error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : 500
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
    const { token, session } = await identity.createSession(person, method)
    setCookie(request, reply, { name: SESSION_COOKIE, value: token, maxAgeS: SESSION_LIFETIME_MS / 1_000 })
    return session
  }

  const createFlow = async (
    request: FastifyRequest,
    reply: FastifyReply,
    kind: 'browser' | 'api',
    state: Partial<LoginState> = {},
  ): Promise<LoginFlow> => {
    const query = LoginQuerySchema.parse(request.query)
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

  const startLogin = async (request: FastifyRequest, reply: FastifyReply, kind: 'browser' | 'api') => {
    const flow = await createFlow(request, reply, kind)
    if (!flow.state.refresh && (await sessionOf(request))) {
      if (kind === 'browser' && !wantsJson(request)) return reply.redirect(flow.returnTo ?? '/', 303)
      throw new IdentityRefusal(REFUSALS.sessionAlreadyAvailable)
    }
    return kind === 'browser' && !wantsJson(request) ? reply.redirect(loginUrl(flow.id), 303) : reply.send(toFlow(flow))
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

  const submitLogin = async (request: FastifyRequest, reply: FastifyReply) => {
    const flow = await requireFlow(request, reply, queryText(request, 'flow'))
    const body = LoginBodySchema.parse(request.body ?? {})
    if (flow.kind === 'browser' && !isSameSecret(body.csrf_token, flow.csrfToken)) {
      throw new IdentityRefusal(REFUSALS.csrfViolation)
    }
    const identifier = body.identifier || body.password_identifier
    const refuse = async (changes: Partial<LoginState>) => {
      const updated = await flows.update(flow, { identifier, messages: [], fieldMessages: {}, ...changes })
      return isForm(request, flow) ? reply.redirect(loginUrl(flow.id), 303) : reply.code(400).send(toFlow(updated))
    }
    const missing = Object.entries({ identifier, password: body.password }).filter(([, value]) => value === '')
    if (missing.length > 0) {
      return refuse({
        fieldMessages: Object.fromEntries(missing.map(([name]) => [name, [LOGIN_MESSAGES.missing(name)]])),
      })
    }
    const check = await identity.checkPassword(identifier, body.password, addressOf(request))
    switch (check.kind) {
      case 'wrong':
        return refuse({ messages: [LOGIN_MESSAGES.wrong] })
      case 'inactive':
        return refuse({ messages: [LOGIN_MESSAGES.inactive] })
      case 'wait':
        return refuse({ messages: [LOGIN_MESSAGES.wait(check.waitMs)] })
      case 'right':
        await flows.complete(flow)
    }
    if (flow.kind === 'api') {
      const { token, session } = await identity.createSession(check.identity, 'password')
      return reply.send({ session_token: token, session: toSession(session) })
    }
    const session = await signIn(request, reply, check.identity, 'password')
    if (isForm(request, flow)) return reply.redirect(flow.returnTo ?? '/', 303)
    return reply.send({ session: toSession(session) })
  }

  app.get('/kratos/sessions/whoami', async (request, reply) => {
    const session = await sessionOf(request)
    if (!session) throw new IdentityRefusal(REFUSALS.noSession)
    return reply.header('x-kratos-authenticated-identity-id', session.identity.id).send(toSession(session))
  })

  app.get('/kratos/self-service/login/browser', (request, reply) => startLogin(request, reply, 'browser'))
  app.get('/kratos/self-service/login/api', (request, reply) => startLogin(request, reply, 'api'))
  app.get('/kratos/self-service/login/flows', async (request, reply) =>
    toFlow(await requireFlow(request, reply, queryText(request, 'id'))),
  )
  app.post('/kratos/self-service/login', { bodyLimit: MAX_BODY_BYTES }, submitLogin)

  app.get('/kratos/self-service/logout/browser', async (request) => {
    const token = readCookie(request, SESSION_COOKIE)
    if (token === '' || !(await identity.findSession(token))) throw new IdentityRefusal(REFUSALS.sessionInactive)
    const logoutToken = logoutTokenOf(token)
    return { logout_token: logoutToken, logout_url: logoutUrl(logoutToken) }
  })

  app.get('/kratos/self-service/logout', async (request, reply) => {
    const returnTo = queryText(request, 'return_to')
    if (returnTo !== '' && !isOwnPath(returnTo)) throw new IdentityRefusal(REFUSALS.returnToForbidden)
    const token = readCookie(request, SESSION_COOKIE)
    if (token !== '') {
      // Without this proof any page could sign people out with a picture.
      if (!isSameSecret(queryText(request, 'token'), logoutTokenOf(token))) {
        throw new IdentityRefusal(REFUSALS.csrfViolation)
      }
      await identity.endSession(token)
    }
    setCookie(request, reply, { name: SESSION_COOKIE, value: '', maxAgeS: 0 })
    if (wantsJson(request)) return reply.code(204).send()
    return reply.redirect(returnTo === '' ? '/login' : returnTo, 303)
  })

  app.delete('/kratos/self-service/logout/api', { bodyLimit: MAX_BODY_BYTES }, async (request, reply) => {
    const body = z.object({ session_token: z.string() }).safeParse(request.body)
    if (!body.success) throw new IdentityRefusal(REFUSALS.unreadableBody)
    await identity.endSession(body.data.session_token)
    return reply.code(204).send()
  })

  app.get('/kratos/self-service/recovery', async (request, reply) => {
    const token = queryText(request, 'token')
    if (token === '') throw new IdentityRefusal(REFUSALS.linkDisabled)
    reply.header('cache-control', 'no-store').header('referrer-policy', 'no-referrer')
    const person = await identity.redeemSignInLink(token)
    if (!person) {
      const flow = await createFlow(request, reply, 'browser', { messages: [LOGIN_MESSAGES.linkInvalid] })
      return reply.redirect(loginUrl(flow.id), 303)
    }
    await signIn(request, reply, person, 'link_recovery')
    return reply.redirect('/', 303)
  })

  app.get('/kratos/self-service/errors', async (request) => {
    const found = await flowErrors.find(queryText(request, 'id'))
    if (!found) throw new IdentityRefusal(REFUSALS.flowNotFound)
    return found
  })

  app.all('/kratos/*', () => {
    throw new IdentityRefusal(REFUSALS.linkDisabled)
  })
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

function queryText(request: FastifyRequest, name: string): string {
  const value = (request.query as Readonly<Record<string, unknown>>)[name]
  return typeof value === 'string' ? value : ''
}

/** Only the gateway can connect to the socket, so its word about the browser's address is taken. */
function addressOf(request: FastifyRequest): string {
  const forwarded = request.headers['x-forwarded-for']
  return typeof forwarded === 'string' ? forwarded : 'local'
}

function toSession(session: ActiveSession): Readonly<Record<string, unknown>> {
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
    devices: [],
  }
}
