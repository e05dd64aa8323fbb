// Who makes a request: the gateway's own token, an agent's token, a session, or an e-mail and password. Roles are read anew
// every time.
import { createHmac, randomBytes } from 'node:crypto'

import { AGENT_ROLE_NAME, toRoles } from '@watchroom/shared/access'
import { type Clock, failed, NIL_UUID, ok, type Result } from '@watchroom/shared/kernel'
import type { FastifyRequest } from 'fastify'

import type { AgentService, KnownAgent } from '../agents/createAgentService.ts'
import { readCookie, SESSION_COOKIE } from '../identity/cookies.ts'
import type { Identity, IdentityService } from '../identity/createIdentityService.ts'
import { isSameSecret } from '../identity/secrets.ts'
import type { Principal } from './principal.ts'

/** Plain texts of the backend's authentication (backend reference 2.3). */
export type AuthenticationFailure = 'Unauthorized' | 'Session Expired' | 'Authorization Error'

export interface Authenticator {
  authenticate(request: FastifyRequest): Promise<Result<Principal, AuthenticationFailure>>
}

/** How long a checked password is believed (backend reference 3.1); hashing one takes 30 ms of a core. */
const RIGHT_PASSWORD_MS = 30 * 60_000
const WRONG_PASSWORD_MS = 60_000
/** About 1 MB; the oldest go first. */
const MAX_REMEMBERED = 5_000

/** Name under which Basic credentials carry an access token (backend reference 3.1). */
const TOKEN_USER = 'token'

const SERVICE: Principal = {
  kind: 'service',
  id: NIL_UUID,
  email: '',
  name: 'Watchroom',
  roles: ['admin'],
  roleNames: ['admin'],
}

interface Deps {
  identity: IdentityService
  agents: AgentService
  serviceToken: string
  clock: Clock
}

export function createAuthenticator({ identity, agents, serviceToken, clock }: Deps): Authenticator {
  const remembered = new Map<string, { version: string; isRight: boolean; expiresAt: number }>()
  /** Keys the memory, so that it holds nothing a password could be guessed from. */
  const key = randomBytes(32)
  const keyOf = (email: string, password: string): string =>
    createHmac('sha256', key).update(`${email}\n${password}`).digest('base64')

  const toPrincipal = async (person: Identity): Promise<Principal> => {
    const roleNames = await identity.roleNames(person.id)
    return {
      kind: 'person',
      id: person.id,
      email: person.email,
      name: `${person.firstName} ${person.lastName}`.trim() || person.email,
      roles: toRoles(roleNames),
      roleNames,
    }
  }

  /** A remembered password counts only while the account is active and its password is the same. */
  const checkBasic = async (email: string, password: string, address: string): Promise<Identity | null> => {
    const memoryKey = keyOf(email, password)
    const memory = remembered.get(memoryKey)
    if (memory && memory.expiresAt > clock.monotonic()) {
      const person = await identity.findByEmail(email)
      const isUnchanged = (person?.credentialVersion ?? '') === memory.version
      if (isUnchanged) return memory.isRight && person?.state === 'active' ? person : null
    }
    const check = await identity.checkPassword(email, password, address)
    if (check.kind === 'wait') return null
    const person = check.kind === 'right' ? check.identity : await identity.findByEmail(email)
    const isRight = check.kind === 'right'
    remembered.delete(memoryKey)
    remembered.set(memoryKey, {
      version: person?.credentialVersion ?? '',
      isRight,
      expiresAt: clock.monotonic() + (isRight ? RIGHT_PASSWORD_MS : WRONG_PASSWORD_MS),
    })
    const oldest = remembered.keys().next().value
    if (remembered.size > MAX_REMEMBERED && oldest !== undefined) remembered.delete(oldest)
    return isRight ? check.identity : null
  }

  return {
    authenticate: async (request) => {
      const [scheme = '', value = ''] = (request.headers.authorization ?? '').split(' ', 2)
      if (scheme.toLowerCase() === 'bearer') {
        if (isSameSecret(value, serviceToken)) return ok(SERVICE)
        return toAgent(await agents.recognise(value))
      }
      const header = request.headers['x-session-token']
      const token = typeof header === 'string' && header !== '' ? header : readCookie(request, SESSION_COOKIE)
      if (token !== '') {
        const session = await identity.findSession(token)
        return session ? ok(await toPrincipal(session.identity)) : failed('Session Expired')
      }
      if (scheme.toLowerCase() !== 'basic') return failed('Unauthorized')
      const credentials = parseBasic(value)
      if (!credentials) return failed('Authorization Error')
      if (credentials.email.toLowerCase() === TOKEN_USER) return toAgent(await agents.recognise(credentials.password))
      const forwarded = request.headers['x-forwarded-for']
      const address = typeof forwarded === 'string' ? forwarded : 'local'
      const person = await checkBasic(credentials.email, credentials.password, address)
      return person ? ok(await toPrincipal(person)) : failed('Unauthorized')
    },
  }
}

function toAgent(agent: KnownAgent | null): Result<Principal, AuthenticationFailure> {
  if (!agent) return failed('Unauthorized')
  return ok({
    kind: 'agent',
    id: agent.personId,
    email: '',
    name: agent.name,
    roles: toRoles([AGENT_ROLE_NAME]),
    roleNames: [AGENT_ROLE_NAME],
    agent,
  })
}

function parseBasic(value: string): { email: string; password: string } | null {
  const text = Buffer.from(value, 'base64').toString()
  const colon = text.indexOf(':')
  return colon === -1 ? null : { email: text.slice(0, colon), password: text.slice(colon + 1) }
}
