// Who makes a request: the gateway's own token, an access token of an agent or a person, a session, or an e-mail and password.
// Roles are read anew every time.
import { createHmac, randomBytes } from 'node:crypto'

import { AGENT_ROLE_NAME, toRoles } from '@watchroom/shared/access'
import { SESSION_COOKIE } from '@watchroom/shared/identity'
import { type Clock, failed, keepNewest, NIL_UUID, ok, type Result } from '@watchroom/shared/kernel'
import type { FastifyRequest } from 'fastify'

import { NO_ACCESS_TOKEN } from '../../platform/backendCaller.ts'
import type { AgentService, KnownAgent } from '../agents/createAgentService.ts'
import { readCookie } from '../identity/cookies.ts'
import type { IdentityService } from '../identity/createIdentityService.ts'
import type { Identity } from '../identity/identity.ts'
import type { ProviderPeople } from '../identity/people/createProviderPeople.ts'
import { isSameSecret } from '../identity/secrets.ts'
import type { TokenService } from '../people/createTokenService.ts'
import { forwardedBlock } from './forwarded.ts'
import type { Principal } from './principal.ts'

/** Plain texts of the backend's authentication (backend reference 2.3). */
export type AuthenticationFailure =
  | { readonly text: 'Unauthorized' | 'Session Expired' | 'Authorization Error' | 'access token has expired' }
  /** It cannot be an access token at all, ours or another's: 400. */
  | { readonly text: typeof NO_ACCESS_TOKEN }
  /** Guessing is slowed down; nobody looked at the password. */
  | { readonly waitMs: number }

/** No credential, or an e-mail and password that are refused. */
const REFUSED: AuthenticationFailure = { text: 'Authorization Error' }

export interface Authenticator {
  authenticate(request: FastifyRequest): Promise<Result<Principal, AuthenticationFailure>>
}

/** How long a checked password is believed (backend reference 3.1); hashing one takes 30 ms of a core. */
const RIGHT_PASSWORD_MS = 30 * 60_000
const WRONG_PASSWORD_MS = 60_000
/** About 1 MB; the oldest go first. Wrong ones have a place of their own: made-up names must not push out people. */
const MAX_RIGHT = 5_000
const MAX_WRONG = 1_000

/** Name under which Basic credentials carry an access token (backend reference 3.1). */
const TOKEN_USER = 'token'

const ACCESS_TOKEN_PARTS = 5
/** Three parts: access tokens have five, and sessions have one. */
const SIGNED_TOKEN = /^[\w-]+\.[\w-]+\.[\w-]+$/

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
  tokens: TokenService
  providerPeople: ProviderPeople | undefined
  serviceToken: string
  clock: Clock
}

export function createAuthenticator({
  identity,
  agents,
  tokens,
  providerPeople,
  serviceToken,
  clock,
}: Deps): Authenticator {
  const right = createMemory(clock, RIGHT_PASSWORD_MS, MAX_RIGHT)
  const wrong = createMemory(clock, WRONG_PASSWORD_MS, MAX_WRONG)
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

  /** Whoever an access token speaks for: an agent or a person. */
  const recognise = async (token: string): Promise<Principal | null> => {
    const agent = await agents.recognise(token)
    if (agent) return toAgent(agent)
    const owner = await tokens.recognise(token)
    if (!owner) return null
    const { expiresAt, ...person } = owner
    return { ...person, kind: 'person', roleNames: person.roles, token: { expiresAt } }
  }

  /** Of an access token that nobody is recognised by. */
  const describe = async (token: string): Promise<AuthenticationFailure> => ({
    text: (await tokens.isExpired(token)) ? 'access token has expired' : 'Unauthorized',
  })

  /** A remembered password counts only while the account is active and its password is the same. */
  const checkBasic = async (
    email: string,
    password: string,
    address: string,
  ): Promise<Result<Identity, AuthenticationFailure>> => {
    const memoryKey = keyOf(email, password)
    const memory = right.get(memoryKey) ?? wrong.get(memoryKey)
    if (memory !== undefined) {
      const person = await identity.findByEmail(email)
      const isUnchanged = (person?.credentialVersion ?? '') === memory
      const isRight = right.get(memoryKey) !== undefined
      if (isUnchanged) return isRight && person?.state === 'active' ? admit(person) : failed(REFUSED)
    }
    const check = await identity.checkPassword(email, password, { address, device: '' })
    if (check.kind === 'wait') return failed({ waitMs: check.waitMs })
    const isRight = check.kind === 'right'
    const person = isRight ? check.identity : await identity.findByEmail(email)
    const [kept, dropped] = isRight ? [right, wrong] : [wrong, right]
    dropped.delete(memoryKey)
    kept.set(memoryKey, person?.credentialVersion ?? '')
    return isRight ? admit(check.identity) : failed(REFUSED)
  }

  /** A password alone is not enough where a second factor belongs to it. */
  const admit = (person: Identity): Result<Identity, AuthenticationFailure> =>
    person.hasSecondFactor ? failed(REFUSED) : ok(person)

  return {
    authenticate: async (request) => {
      const [scheme = '', value = ''] = (request.headers.authorization ?? '').split(' ', 2)
      if (scheme.toLowerCase() === 'bearer') {
        if (isSameSecret(value, serviceToken)) return ok(SERVICE)
        if (providerPeople && SIGNED_TOKEN.test(value)) {
          const person = await providerPeople.recognise(value)
          return person?.state === 'active' ? ok(await toPrincipal(person)) : failed({ text: 'Unauthorized' })
        }
        const bearer = await recognise(value)
        if (bearer) return ok(bearer)
        const session = await identity.findSession(value)
        return session ? ok(await toPrincipal(session.identity)) : failed(await describe(value))
      }
      const header = request.headers['x-session-token']
      const sessionToken = typeof header === 'string' && header !== '' ? header : readCookie(request, SESSION_COOKIE)
      if (sessionToken !== '') {
        const session = await identity.findSession(sessionToken)
        return session ? ok(await toPrincipal(session.identity)) : failed({ text: 'Session Expired' })
      }
      if (scheme.toLowerCase() !== 'basic') return failed(REFUSED)
      const credentials = parseBasic(value)
      if (!credentials) return failed(REFUSED)
      if (credentials.email.toLowerCase() === TOKEN_USER) {
        const { password: token } = credentials
        if (token.split('.').length !== ACCESS_TOKEN_PARTS) return failed({ text: NO_ACCESS_TOKEN })
        const bearer = await recognise(token)
        return bearer ? ok(bearer) : failed(await describe(token))
      }
      const person = await checkBasic(credentials.email, credentials.password, forwardedBlock(request))
      return person.ok ? ok(await toPrincipal(person.value)) : person
    },
  }
}

interface Memory {
  get(key: string): string | undefined
  set(key: string, version: string): void
  delete(key: string): void
}

/** Values that age, the oldest going first when there are too many. */
function createMemory(clock: Clock, ageMs: number, maxEntries: number): Memory {
  const entries = new Map<string, { version: string; expiresAt: number }>()
  return {
    get: (key) => {
      const entry = entries.get(key)
      return entry && entry.expiresAt > clock.monotonic() ? entry.version : undefined
    },
    set: (key, version) => {
      entries.delete(key)
      entries.set(key, { version, expiresAt: clock.monotonic() + ageMs })
      keepNewest(entries, maxEntries)
    },
    delete: (key) => entries.delete(key),
  }
}

const toAgent = (agent: KnownAgent): Principal => ({
  kind: 'agent',
  id: agent.personId,
  email: '',
  name: agent.name,
  roles: toRoles([AGENT_ROLE_NAME]),
  roleNames: [AGENT_ROLE_NAME],
  agent,
})

function parseBasic(value: string): { email: string; password: string } | null {
  const text = Buffer.from(value, 'base64').toString()
  const colon = text.indexOf(':')
  return colon === -1 ? null : { email: text.slice(0, colon), password: text.slice(colon + 1) }
}
