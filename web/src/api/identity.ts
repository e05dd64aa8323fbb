import type { FlowKind } from '@watchroom/shared/access'
import {
  type DemoOffer,
  DemoOfferSchema,
  type Flow,
  FlowDoneSchema,
  FlowErrorSchema,
  FlowSchema,
  LogoutFlowSchema,
  type Session,
  SessionSchema,
} from '@watchroom/shared/identity'
import { z } from 'zod'

import { request } from './request.ts'

// The identity service's self-service API behind /api/.ory. A 401 is an answer here, never the end of a session.

const BASE = '/api/.ory'

function withQuery(path: string, query: Readonly<Record<string, string | undefined>>): string {
  const params = new URLSearchParams()
  for (const [key, value] of Object.entries(query)) if (value !== undefined) params.set(key, value)
  const text = params.toString()
  return text === '' ? path : `${path}?${text}`
}

/** Starts a flow. `query`: `return_to`, `aal`, `refresh`, `after_verification_return_to`. */
export function startFlow(
  kind: FlowKind,
  query: Readonly<Record<string, string | undefined>>,
  signal?: AbortSignal,
): Promise<Flow> {
  const path = withQuery(`${BASE}/self-service/${kind}/browser`, query)
  return request(path, { schema: FlowSchema, signal, unauthorized: 'caller' })
}

/** Reads a flow that was started earlier, for example after a reload. */
export function readFlow(kind: FlowKind, id: string, signal?: AbortSignal): Promise<Flow> {
  const path = withQuery(`${BASE}/self-service/${kind}/flows`, { id })
  return request(path, { schema: FlowSchema, signal, unauthorized: 'caller' })
}

/** Either the flow one step further (a code was sent, a setting was saved), or the end of it. */
const SubmittedSchema = z.union([FlowSchema, FlowDoneSchema])
export type Submitted = z.output<typeof SubmittedSchema>

/** Sends a form. A form with mistakes comes back as a `RequestError` of status 400 whose body is the flow again. */
export function submitFlow(kind: FlowKind, id: string, values: Readonly<Record<string, unknown>>): Promise<Submitted> {
  const path = withQuery(`${BASE}/self-service/${kind}`, { flow: id })
  return request(path, { method: 'POST', body: values, schema: SubmittedSchema, unauthorized: 'caller' })
}

/** Rejects with a status that says why there is no usable session: 401 if there is none, 403 or 422 if a second factor is missing. */
export async function checkSession(signal?: AbortSignal): Promise<void> {
  await request(`${BASE}/sessions/whoami`, { schema: z.unknown(), signal, unauthorized: 'caller' })
}

export async function readFlowError(id: string, signal?: AbortSignal): Promise<string> {
  const path = withQuery(`${BASE}/self-service/errors`, { id })
  const { error } = await request(path, { schema: FlowErrorSchema, signal, unauthorized: 'caller' })
  return error?.reason ?? error?.message ?? 'Unknown error'
}

/** Ends the session on the server. */
export async function endSession(): Promise<void> {
  const { logout_token: token } = await request(`${BASE}/self-service/logout/browser`, {
    schema: LogoutFlowSchema,
    unauthorized: 'caller',
  })
  await request(withQuery(`${BASE}/self-service/logout`, { token }), { schema: z.unknown(), unauthorized: 'caller' })
}

/** The session of this browser, then the others of its owner, newest first. */
export async function readOwnSessions(signal?: AbortSignal): Promise<Session[]> {
  const ask = <Schema extends z.ZodType>(path: string, schema: Schema) =>
    request(`${BASE}${path}`, { schema, signal, unauthorized: 'caller' })
  const [own, others] = await Promise.all([
    ask('/sessions/whoami', SessionSchema),
    ask('/sessions', z.array(SessionSchema)),
  ])
  return [own, ...others]
}

/** Ends one of the caller's other sessions, or all of them. */
export async function endOtherSessions(id?: string): Promise<void> {
  const path = id === undefined ? '/sessions' : `/sessions/${encodeURIComponent(id)}`
  await request(`${BASE}${path}`, { method: 'DELETE', schema: z.unknown(), unauthorized: 'caller' })
}

/** The accounts of a demo, if this browser is on the machine that runs it; null everywhere else. */
export async function readDemoOffer(signal?: AbortSignal): Promise<DemoOffer['demo']> {
  const path = '/gateway/demo'
  const { demo } = await request(path, { method: 'POST', schema: DemoOfferSchema, signal, unauthorized: 'caller' })
  return demo
}
