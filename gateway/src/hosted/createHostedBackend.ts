// A backend that accepts the provider's bearers, in the form the rest of the gateway expects, where a session cookie identifies the
// caller. Here the cookie is exchanged for the bearer, which leaves the gateway in no other direction.
import { Readable } from 'node:stream'

import { type Session, toUser, WhoAmISchema } from '@watchroom/shared/identity'

import { CodedError } from '../platform/errors.ts'
import {
  type BackendClient,
  BackendFailure,
  type BackendRequest,
  type BackendResponse,
} from '../platform/httpClient.ts'
import type { HostedSession } from './contract.ts'
import type { HostedSessions } from './createHostedSessions.ts'
import { readInnerSession } from './sessionCookie.ts'

const WHO_AM_I = '/kratos/sessions/whoami'

/** @param organization whose backend it is: the session of another one is none here */
export function createHostedBackend(
  backend: BackendClient,
  sessions: Pick<HostedSessions, 'find' | 'bearer'>,
  organization: string,
): BackendClient {
  const find = async (secret: string): Promise<{ session: HostedSession; bearer: string } | null> => {
    try {
      const bearer = await sessions.bearer(secret)
      // After the bearer: refreshing it may have ended the session, or the person's place in the organization.
      const session = bearer === null ? null : await sessions.find(secret)
      return bearer !== null && session?.organization?.id === organization ? { session, bearer } : null
    } catch (error) {
      if (error instanceof CodedError) throw new BackendFailure('unavailable', error.message, { cause: error })
      throw error
    }
  }

  return {
    ...backend,
    request: async (request) => {
      const secret = readInnerSession(request.headers?.['cookie'])
      if (secret === null) return request.path === WHO_AM_I ? answer(401, {}) : backend.request(request)
      const found = await find(secret)
      if (!found) return answer(401, {})
      const send = (one: BackendRequest): Promise<BackendResponse> =>
        backend.request({ ...one, headers: toBearer(request.headers ?? {}, found.bearer), credential: 'caller' })
      if (request.path !== WHO_AM_I) return send(request)
      const response = await send({ ...request, path: '/auth/whoami' })
      if (response.status !== 200) return response
      return answer(200, toKratosSession(found.session, toUser(WhoAmISchema.parse(await response.json())).id))
    },
  }
}

function toBearer(
  headers: Readonly<Record<string, string | string[]>>,
  bearer: string,
): Record<string, string | string[]> {
  const { cookie: _cookie, 'x-session-token': _token, ...others } = headers
  return { ...others, authorization: `Bearer ${bearer}` }
}

/** As an identity service says whose session it is. */
export function toKratosSession({ id, name, email, endsAt }: HostedSession, personId: string): Session {
  return {
    id,
    active: true,
    expires_at: new Date(endsAt).toISOString(),
    identity: { id: personId, traits: { email, name: { first: name, last: '' } } },
  }
}

function answer(status: number, body: unknown): BackendResponse {
  const text = JSON.stringify(body)
  return {
    status,
    headers: { 'content-type': 'application/json' },
    body: Readable.from([text]),
    text: () => Promise.resolve(text),
    json: () => Promise.resolve(body),
    discard: () => undefined,
  }
}

/** Stands in where there is no organization: nobody is signed in there. */
export const NO_BACKEND: BackendClient = {
  request: ({ path }) => Promise.resolve(answer(path === '/health' ? 200 : 401, {})),
  hasServiceCredential: false,
  close: () => Promise.resolve(),
}
