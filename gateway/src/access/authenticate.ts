// Asks the backend who a credential belongs to. Knows nothing of caches or requests: `createAccess` owns both.
import { type Role, toRoles } from '@watchroom/shared/access'
import { z } from 'zod'

import { CodedError } from '../platform/errors.ts'
import { type BackendClient, BackendFailure, type BackendResponse } from '../platform/httpClient.ts'
import type { Identity } from './contract.ts'
import type { Credential } from './credential.ts'
import { accessErrors } from './errors.ts'

/** A page waits for this answer before it waits for its own; the backend needs a few milliseconds. */
const LOOKUP_TIMEOUT_MS = 5_000

const text = z.string().catch('')

const SessionSchema = z.object({
  active: z.boolean().optional(),
  identity: z.object({
    id: z.string().min(1),
    traits: z
      .object({ email: text, name: z.object({ first: text, last: text }).catch({ first: '', last: '' }) })
      .catch({ email: '', name: { first: '', last: '' } }),
  }),
})

const WhoAmISchema = z.object({
  payload: z.object({ user: z.object({ id: z.string().min(1), name: text, email: text }) }),
})

const PeopleRolesSchema = z.array(z.object({ roles: z.array(z.string()).nullish() }))

/** What the backend said. `final`: the same credential will be refused again, so the answer may be remembered. */
export type Authentication = { readonly identity: Identity } | { readonly identity: null; readonly final: boolean }

/** @throws CodedError ACCESS_BACKEND_UNAVAILABLE when the backend did not answer, or not in a readable way */
export async function authenticate(backend: BackendClient, credential: Credential): Promise<Authentication> {
  try {
    const person = await (credential.kind === 'session' ? readSession : readWhoAmI)(backend, credential)
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

async function readSession(backend: BackendClient, credential: Credential): Promise<Person | NoSession> {
  const response = await ask(backend, credential, '/kratos/sessions/whoami')
  const refusal = toRefusal(response)
  if (refusal) return refusal
  const session = SessionSchema.parse(await response.json())
  if (session.active === false) return { final: true }
  const { id, traits } = session.identity
  return { userId: id, name: `${traits.name.first} ${traits.name.last}`.trim(), email: traits.email }
}

/** HTTP Basic never reaches the identity service; the backend checks it itself. */
async function readWhoAmI(backend: BackendClient, credential: Credential): Promise<Person | NoSession> {
  const response = await ask(backend, credential, '/auth/whoami')
  const refusal = toRefusal(response)
  if (refusal) return refusal
  const { user } = WhoAmISchema.parse(await response.json()).payload
  return { userId: user.id, name: user.name, email: user.email }
}

async function readRoles(backend: BackendClient, credential: Credential, userId: string): Promise<Role[]> {
  const response = await backend.request({
    path: `/db/people_roles?id=in.(${encodeURIComponent(userId)})`,
    timeoutMs: LOOKUP_TIMEOUT_MS,
    // Without a credential of our own the person's must do: everybody may read this view.
    headers: backend.hasServiceCredential ? {} : credential.headers,
  })
  if (response.status !== 200) throw unexpected(response)
  const rows = PeopleRolesSchema.parse(await response.json())
  return toRoles(rows.flatMap((row) => row.roles ?? []))
}

const ask = (backend: BackendClient, credential: Credential, path: string): Promise<BackendResponse> =>
  backend.request({
    path,
    headers: { ...credential.headers, accept: 'application/json' },
    credential: 'caller',
    timeoutMs: LOOKUP_TIMEOUT_MS,
  })

/** 403 and 422 ask for a second factor: the same session becomes valid once it is given, so they are not final. */
function toRefusal(response: BackendResponse): NoSession | null {
  if (response.status === 200) return null
  if (![401, 403, 422].includes(response.status)) throw unexpected(response)
  response.discard()
  return { final: response.status === 401 }
}

function unexpected(response: BackendResponse): BackendFailure {
  response.discard()
  return new BackendFailure('broken', `unexpected status ${response.status}`)
}
