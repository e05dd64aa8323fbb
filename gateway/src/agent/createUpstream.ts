// The agent's side of the routes for agents. One call, one outcome: an answer, or an error of the catalogue that says whether
// trying again helps.
import {
  type PingAnswer,
  PingAnswerSchema,
  PULL_CANARIES_PATH,
  type PulledCanary,
  PulledCanarySchema,
  PING_PATH,
  type Push,
  PUSH_PATH,
} from '@watchroom/shared/agents/upstream'
import type { Clock } from '@watchroom/shared/kernel'
import { z } from 'zod'

import { CodedError } from '../platform/errors.ts'
import {
  type BackendClient,
  BackendFailure,
  type BackendResponse,
  createBackendClient,
} from '../platform/httpClient.ts'
import { AGENT_ERRORS } from './errors.ts'

export interface AgentFacts {
  readonly version: string
  readonly hostname: string
  /** Results that wait. */
  readonly queued: number
}

export interface Upstream {
  ping(facts: AgentFacts, signal?: AbortSignal): Promise<PingAnswer>
  push(push: Push, signal?: AbortSignal): Promise<void>
  pullCanaries(signal?: AbortSignal): Promise<PulledCanary[]>
  close(): Promise<void>
}

/** Results that the upstream holds against us, when it says which. */
const RefusalSchema = z.object({
  error: z.union([z.string(), z.object({ message: z.string(), details: z.unknown().optional() })]).optional(),
  message: z.string().optional(),
})

const TIMEOUT_MS = 20_000
const MAX_ERROR_LENGTH = 300

export function createUpstream({ url, token, clock }: { url: string; token: string; clock: Clock }): Upstream {
  const client: BackendClient = createBackendClient({ backendUrl: url })
  const authorization = `Basic ${Buffer.from(`token:${token}`).toString('base64')}`

  async function call(path: string, body?: unknown, signal?: AbortSignal): Promise<unknown> {
    let response: BackendResponse
    try {
      response = await client.request({
        path,
        method: body === undefined ? 'GET' : 'POST',
        headers: { authorization, accept: 'application/json', 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        ...(signal ? { signal } : {}),
        timeoutMs: TIMEOUT_MS,
        credential: 'caller',
      })
      const text = await response.text()
      if (response.status === 200) return parseJson(text, url)
      throw toError(response.status, text, url)
    } catch (error) {
      if (error instanceof BackendFailure) throw toAway(error, url)
      throw error
    }
  }

  return {
    ping: async (facts, signal) => {
      const query = new URLSearchParams({
        sent_at: new Date(clock.now()).toISOString(),
        version: facts.version,
        hostname: facts.hostname,
        queued: String(facts.queued),
      })
      const answer = PingAnswerSchema.safeParse(await call(`${PING_PATH}?${query.toString()}`, undefined, signal))
      if (answer.success) return answer.data
      throw unknown(url, 'its answer does not name the agent')
    },
    push: async (push, signal) => {
      await call(PUSH_PATH, { ...push, sent_at: new Date(clock.now()).toISOString() }, signal)
    },
    pullCanaries: async (signal) => {
      const answer = z.array(PulledCanarySchema).safeParse(await call(PULL_CANARIES_PATH, undefined, signal))
      if (answer.success) return answer.data.filter(({ deleted_at: deletedAt }) => !deletedAt)
      throw unknown(url, 'its canaries cannot be read')
    },
    close: () => client.close(),
  }
}

const unknown = (url: string, detail: string): CodedError =>
  new CodedError(AGENT_ERRORS.AGENT_UPSTREAM_UNKNOWN, { values: { url, detail } })

function parseJson(text: string, url: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    throw unknown(url, 'it answers with something that is not JSON')
  }
}

function toAway(failure: BackendFailure, url: string): CodedError {
  const cause = failure.cause instanceof Error ? failure.cause : null
  const nested = cause instanceof AggregateError && cause.errors[0] instanceof Error ? cause.errors[0] : cause
  const detail = nested === null || nested.message === '' ? failure.message : nested.message
  return new CodedError(AGENT_ERRORS.AGENT_UPSTREAM_AWAY, { values: { url, detail }, cause: failure })
}

function toError(status: number, text: string, url: string): CodedError {
  const detail = describe(status, text)
  switch (status) {
    case 401:
      return new CodedError(AGENT_ERRORS.AGENT_TOKEN_REFUSED)
    case 403:
      return new CodedError(AGENT_ERRORS.AGENT_PUSH_FORBIDDEN, { values: { detail } })
    case 404:
    case 405:
      return unknown(url, detail)
    case 409:
      return new CodedError(AGENT_ERRORS.AGENT_CHECKS_UNKNOWN)
    case 400:
    case 413:
    case 415:
    case 422:
      return new CodedError(AGENT_ERRORS.AGENT_PUSH_REFUSED, { values: { detail } })
    default:
      return new CodedError(AGENT_ERRORS.AGENT_UPSTREAM_AWAY, { values: { url, detail } })
  }
}

/** The upstream's own words, whichever of the two shapes of an error it has. */
function describe(status: number, text: string): string {
  const words = (): string | undefined => {
    try {
      const { error, message } = RefusalSchema.parse(JSON.parse(text))
      return (typeof error === 'string' ? error : error?.message) ?? message
    } catch {
      // A proxy's page, for example: the status has to do.
      return undefined
    }
  }
  return `${words()?.slice(0, MAX_ERROR_LENGTH) ?? 'no reason given'} (status ${status})`
}
