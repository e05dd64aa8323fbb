// Handles every request and upgrade first in hosted mode: puts the session where the rest of the gateway looks for it, removes what
// callers may not set there, and routes people to their organization. Does not know what serves an organization.
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'

import { safeReturnTo } from '@watchroom/shared/kernel'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

import { CodedError } from '../platform/errors.ts'
import type { Logger } from '../platform/logger.ts'
import type { HostedSession, Organization } from './contract.ts'
import type { HostedSessions } from './createHostedSessions.ts'
import { hostedErrors } from './errors.ts'
import { hostedRoutes, type HostedRoutesDeps } from './hostedRoutes.ts'
import { answerIdentity, leave } from './identityAnswers.ts'
import { toInnerCookies, toTag } from './sessionCookie.ts'

/** What serves an organization. One of the two is called, once, whether or not the caller has left meanwhile. */
export interface Target {
  readonly handle: (request: IncomingMessage, response: ServerResponse) => void
  readonly upgrade: (request: IncomingMessage, socket: Duplex, head: Buffer) => void
}

export interface HostedDoorDeps extends HostedRoutesDeps {
  readonly sessions: HostedSessions
  /**
   * Who serves an organization. Absent where there is one alone: whoever stands here serves it.
   *
   * @throws CodedError HOSTED_PROVISIONING, HOSTED_ORGANIZATIONS_FULL
   */
  readonly find?: (organization: Organization) => Promise<Target>
  /** Serves who has no session, and what is of no organization. */
  readonly upgrade: Target['upgrade']
  readonly logger: Logger
}

export interface HostedDoor {
  /** Before whatever reads sessions. */
  register(app: FastifyInstance): Promise<void>
  /** Takes the upgrades of a server. */
  attach(server: Server): void
}

const IDENTITY = /^\/api\/(?:\.ory|kratos)(?=\/)/
/** These bring their own credentials, which are not a person's. */
const OWN_CREDENTIALS = /^\/(?:upstream\/|push\/topology|metrics)/
/** Other programs prove themselves there in the way that the playbook says. */
const WEBHOOK = /^\/api\/(?:playbook|canary)\/webhook\//
/** Of the gateway as such. */
const COMMON = /^\/(?:gateway\/(?:hosted\/|release)|api\/_health)/
const OF_AN_ORGANIZATION = /^\/(?:api|gateway|socket\.io|collab)\//

/** Which organization a page was loaded for, if it says so. */
const PAGE_HEADER = 'x-watchroom-organization'
const PAGE_QUERY = 'organization'

export function createHostedDoor(deps: HostedDoorDeps): HostedDoor {
  const { cookies, sessions } = deps

  /** Takes away what only the gateway may say, and puts the session in its place. @returns its secret */
  const rewrite = (request: IncomingMessage, isOnlySession: boolean): string | null => {
    const { headers } = request
    const secret = cookies.readSession(headers.cookie)
    const inner = toInnerCookies(headers.cookie, secret)
    if (inner === undefined) delete headers.cookie
    else headers.cookie = inner
    delete headers['x-session-token']
    // Scripts of the one organization have access tokens of its backend; where there are several, nobody knows of which.
    const isKept = WEBHOOK.test(pathOf(request)) || (!isOnlySession && /^basic /i.test(headers.authorization ?? ''))
    if (!isKept) delete headers.authorization
    return secret
  }

  const findSession = (secret: string | null): Promise<HostedSession | null> =>
    secret === null ? Promise.resolve(null) : sessions.find(secret)

  /** A page loaded for one organization must not show another's data. */
  const isOtherPage = (session: HostedSession | null, page: unknown): boolean =>
    typeof page === 'string' && session !== null && page !== toTag(session.organization?.id ?? '')

  /** @throws CodedError HOSTED_OTHER_ORGANIZATION, and what `find` throws */
  const lead = async (session: HostedSession | null, page: unknown): Promise<Target | null> => {
    if (!deps.find || !session?.organization) return null
    if (isOtherPage(session, page)) throw new CodedError(hostedErrors.HOSTED_OTHER_ORGANIZATION)
    return deps.find(session.organization)
  }

  const enter = async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
    const path = pathOf(request.raw)
    if (COMMON.test(path) || OWN_CREDENTIALS.test(path)) return undefined
    const secret = rewrite(request.raw, deps.find !== undefined)
    if (!OF_AN_ORGANIZATION.test(path)) return undefined
    const page = request.headers[PAGE_HEADER]
    delete request.raw.headers[PAGE_HEADER]
    const identity = IDENTITY.exec(path)
    if (identity) {
      const session = await findSession(secret)
      const returnTo = new URLSearchParams((request.raw.url ?? '').split('?')[1]).get('return_to') ?? undefined
      const answer = isOtherPage(session, page)
        ? leave(safeReturnTo(returnTo))
        : answerIdentity(path.slice(identity[0].length), returnTo, session)
      return reply.code(answer.status).header('cache-control', 'no-store').send(answer.body)
    }
    // Where there is one organization alone, whoever reads the session looks it up.
    if (!deps.find) return undefined
    const target = await lead(await findSession(secret), page)
    if (!target) return undefined
    request.raw.headers['x-request-id'] = request.id
    reply.hijack()
    target.handle(request.raw, reply.raw)
    return undefined
  }

  const enterUpgrade = async (request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> => {
    const page = new URLSearchParams((request.url ?? '').split('?')[1]).get(PAGE_QUERY) ?? undefined
    const secret = rewrite(request, deps.find !== undefined)
    if (deps.find) {
      try {
        const target = await lead(await findSession(secret), page)
        if (target) return target.upgrade(request, socket, head)
      } catch (error) {
        deps.logger.info({ err: error }, 'a socket is led to no organization')
        const isElsewhere = error instanceof CodedError && error.code === hostedErrors.HOSTED_OTHER_ORGANIZATION.code
        // Refused by those who know how to say why: its page signs in anew, and finds out.
        if (!isElsewhere) return void socket.destroy()
      }
    }
    if (!socket.destroyed) deps.upgrade(request, socket, head)
  }

  return {
    register: async (app) => {
      app.addHook('onRequest', enter)
      await hostedRoutes(app, deps)
    },
    attach: (server) => {
      server.on('upgrade', (request, socket, head) => {
        // A peer that resets meanwhile would raise an error that nobody handles.
        socket.on('error', (error) => deps.logger.debug({ err: error }, 'upgrading socket failed'))
        void enterUpgrade(request, socket, head)
      })
    },
  }
}

const pathOf = ({ url = '' }: IncomingMessage): string => url.split('?', 1)[0] ?? ''
