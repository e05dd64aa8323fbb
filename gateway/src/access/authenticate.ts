// Asks the backend who a credential belongs to. Knows nothing of caches or requests: `createAccess` owns both.
import { type Role, ROLES } from '@watchroom/shared/access'
import { SessionSchema, toUser, WhoAmISchema } from '@watchroom/shared/identity'

import { isNoAccessToken } from '../platform/backendCaller.ts'
import { type BackendClient, BackendFailure, type BackendResponse } from '../platform/httpClient.ts'
import type { Identity } from './contract.ts'
import type { Credential } from './credential.ts'
import { rateLimited } from './errors.ts'

/** A page waits for this answer before it waits for its own; the backend needs a few milliseconds. */
export const LOOKUP_TIMEOUT_MS = 5_000

/** When the backend slows someone down and does not say for how long. */
const DEFAULT_RETRY_S = 5

/** What the backend said. `final`: the same credential will be refused again, so the answer may be remembered. */
export type Authentication = { readonly person: Person } | { readonly person: null; readonly final: boolean }

/** Who someone is, without their roles. `limit` caps those where their credential grants less. */
export type Person = Omit<Identity, 'roles'> & { readonly limit?: Role }

/**
 * @param address of the caller: the backend counts wrong passwords by it
 * @throws BackendFailure, ZodError when the backend did not answer, or not in a readable way;
 * CodedError ACCESS_RATE_LIMITED when it slows down guessing
 */
export async function authenticate(
  backend: BackendClient,
  credential: Credential,
  address?: string,
): Promise<Authentication> {
  const person = await (credential.kind === 'session' ? readSession : readWhoAmI)(backend, credential, address)
  return 'final' in person ? { person: null, final: person.final } : { person }
}

type NoSession = { readonly final: boolean }

async function readSession(
  backend: BackendClient,
  credential: Credential,
  address?: string,
): Promise<Person | NoSession> {
  const response = await ask(backend, credential, '/kratos/sessions/whoami', address)
  const refusal = await toRefusal(response)
  if (refusal) return refusal
  const session = SessionSchema.parse(await response.json())
  if (session.active === false) return { final: true }
  const { id, traits } = session.identity
  return {
    userId: id,
    name: `${traits.name.first} ${traits.name.last}`.trim(),
    email: traits.email,
    ...endOf(session.expires_at),
  }
}

/** HTTP Basic never reaches the identity service; the backend checks it itself. */
async function readWhoAmI(
  backend: BackendClient,
  credential: Credential,
  address?: string,
): Promise<Person | NoSession> {
  const response = await ask(backend, credential, '/auth/whoami', address)
  const refusal = await toRefusal(response)
  if (refusal) return refusal
  const user = toUser(WhoAmISchema.parse(await response.json()))
  // An access token may be given less than its owner's role, and ends by itself.
  const limit = ROLES.find((role) => role === user.properties?.['token_role'])
  return {
    userId: user.id,
    name: user.name,
    email: user.email ?? '',
    ...endOf(user.properties?.['token_expires_at']),
    ...(limit === undefined ? {} : { limit }),
  }
}

function endOf(text: string | undefined): Pick<Person, 'endsAt'> {
  const endsAt = Date.parse(text ?? '')
  return Number.isNaN(endsAt) ? {} : { endsAt }
}

const ask = (
  backend: BackendClient,
  credential: Credential,
  path: string,
  address: string | undefined,
): Promise<BackendResponse> =>
  backend.request({
    path,
    headers: {
      ...credential.headers,
      accept: 'application/json',
      ...(address === undefined ? {} : { 'x-forwarded-for': address }),
    },
    credential: 'caller',
    timeoutMs: LOOKUP_TIMEOUT_MS,
  })

/** 403 and 422 ask for a second factor: the same session becomes valid once it is given, so they are not final. */
async function toRefusal(response: BackendResponse): Promise<NoSession | null> {
  if (response.status === 200) return null
  if (response.status === 429) {
    response.discard()
    const seconds = Number(response.headers['retry-after'])
    throw rateLimited((Number.isInteger(seconds) && seconds > 0 ? seconds : DEFAULT_RETRY_S) * 1_000)
  }
  if (response.status === 401 || response.status === 403 || response.status === 422) {
    response.discard()
    return { final: response.status === 401 }
  }
  if (isNoAccessToken(response.status, await response.text())) return { final: true }
  throw unexpectedAnswer(response)
}

export function unexpectedAnswer(response: BackendResponse): BackendFailure {
  response.discard()
  return new BackendFailure('broken', `unexpected status ${response.status}`)
}
