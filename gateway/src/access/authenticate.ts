// Asks the backend who a credential belongs to. Knows nothing of caches or requests: `createAccess` owns both.
import { type Role, toRoles } from '@watchroom/shared/access'
import { PeopleRolesSchema, SessionSchema, toUser, WhoAmISchema } from '@watchroom/shared/identity'
import { z } from 'zod'

import { CodedError } from '../platform/errors.ts'
import { type BackendClient, BackendFailure, type BackendResponse } from '../platform/httpClient.ts'
import type { Identity } from './contract.ts'
import type { Credential } from './credential.ts'
import { accessErrors, rateLimited } from './errors.ts'

/** A page waits for this answer before it waits for its own; the backend needs a few milliseconds. */
const LOOKUP_TIMEOUT_MS = 5_000

/** When the backend slows somebody down and does not say for how long. */
const DEFAULT_RETRY_S = 5

/** What the backend said. `final`: the same credential will be refused again, so the answer may be remembered. */
export type Authentication = { readonly identity: Identity } | { readonly identity: null; readonly final: boolean }

/**
 * @param address of the caller: the backend counts wrong passwords by it
 * @throws CodedError ACCESS_BACKEND_UNAVAILABLE when the backend did not answer, or not in a readable way;
 * ACCESS_RATE_LIMITED when it slows down guessing
 */
export async function authenticate(
  backend: BackendClient,
  credential: Credential,
  address?: string,
): Promise<Authentication> {
  try {
    const person = await (credential.kind === 'session' ? readSession : readWhoAmI)(backend, credential, address)
    if ('final' in person) return { identity: null, final: person.final }
    return { identity: { ...person, roles: await readRoles(backend, credential, person.userId) } }
  } catch (error) {
    if (error instanceof BackendFailure || error instanceof z.ZodError) {
      throw new CodedError(accessErrors.ACCESS_BACKEND_UNAVAILABLE, { cause: error })
    }
    throw error
  }
}

type Person = Omit<Identity, 'roles'>
type NoSession = { readonly final: boolean }

async function readSession(
  backend: BackendClient,
  credential: Credential,
  address?: string,
): Promise<Person | NoSession> {
  const response = await ask(backend, credential, '/kratos/sessions/whoami', address)
  const refusal = toRefusal(response)
  if (refusal) return refusal
  const session = SessionSchema.parse(await response.json())
  if (session.active === false) return { final: true }
  const { id, traits } = session.identity
  const endsAt = Date.parse(session.expires_at ?? '')
  return {
    userId: id,
    name: `${traits.name.first} ${traits.name.last}`.trim(),
    email: traits.email,
    ...(Number.isNaN(endsAt) ? {} : { endsAt }),
  }
}

/** HTTP Basic never reaches the identity service; the backend checks it itself. */
async function readWhoAmI(
  backend: BackendClient,
  credential: Credential,
  address?: string,
): Promise<Person | NoSession> {
  const response = await ask(backend, credential, '/auth/whoami', address)
  const refusal = toRefusal(response)
  if (refusal) return refusal
  const user = toUser(WhoAmISchema.parse(await response.json()))
  return { userId: user.id, name: user.name, email: user.email ?? '' }
}

async function readRoles(backend: BackendClient, credential: Credential, userId: string): Promise<Role[]> {
  const path = `/db/people_roles?id=in.(${encodeURIComponent(userId)})`
  const askedAs = (asker: 'service' | 'caller'): Promise<BackendResponse> =>
    backend.request({
      path,
      timeoutMs: LOOKUP_TIMEOUT_MS,
      credential: asker,
      headers: asker === 'caller' ? credential.headers : {},
    })
  let response = await askedAs(backend.hasServiceCredential ? 'service' : 'caller')
  // Without a credential of our own, or with one that is refused, the person's must do: everybody may read this view.
  if (backend.hasServiceCredential && (response.status === 401 || response.status === 403)) {
    response.discard()
    response = await askedAs('caller')
  }
  if (response.status !== 200) throw unexpected(response)
  const rows = PeopleRolesSchema.parse(await response.json())
  return toRoles(rows.flatMap((row) => row.roles ?? []))
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
function toRefusal(response: BackendResponse): NoSession | null {
  if (response.status === 200) return null
  if (response.status === 429) {
    response.discard()
    const seconds = Number(response.headers['retry-after'])
    throw rateLimited((Number.isInteger(seconds) && seconds > 0 ? seconds : DEFAULT_RETRY_S) * 1_000)
  }
  if (![401, 403, 422].includes(response.status)) throw unexpected(response)
  response.discard()
  return { final: response.status === 401 }
}

function unexpected(response: BackendResponse): BackendFailure {
  response.discard()
  return new BackendFailure('broken', `unexpected status ${response.status}`)
}
