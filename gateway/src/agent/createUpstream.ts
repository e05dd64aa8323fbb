// The agent's side of the routes for agents. One call, one outcome: an answer, or an error of the catalogue that says whether
// trying again helps.
import { type ClockExchange, toClockBounds } from '@watchroom/shared/agents'
import {
  ARTIFACT_PATH,
  AWAIT_STEP_PATH,
  type GivenStep,
  GivenStepSchema,
  type PingAnswer,
  PingAnswerSchema,
  PULL_CANARIES_PATH,
  type PulledCanary,
  PulledCanariesSchema,
  PING_PATH,
  type Push,
  PUSH_PATH,
  type PushAnswer,
  PushAnswerSchema,
} from '@watchroom/shared/agents/upstream'
import { type Clock, toStorablePart } from '@watchroom/shared/kernel'
import { z } from 'zod'

import { isNoAccessToken } from '../platform/backendCaller.ts'
import { CodedError } from '../platform/errors.ts'
import {
  type BackendClient,
  BackendFailure,
  type BackendResponse,
  createBackendClient,
} from '../platform/httpClient.ts'
import { AGENT_ERRORS } from './errors.ts'
import { FILE_SOURCE } from './toDefinitions.ts'

export interface AgentFacts {
  readonly version: string
  readonly hostname: string
  /** Results that wait. */
  readonly queued: number
  /** It only asks who it is; it is not there yet. */
  readonly isStarting?: boolean
}

export interface Upstream {
  /** @returns null when the server is one of the real product: its answer is empty, and it is sent no extension of ours */
  ping(facts: AgentFacts, signal?: AbortSignal): Promise<PingAnswer | null>
  /** @returns rows that the upstream cannot keep, it has all others; and steps that it does not wait for */
  push(push: Push, signal?: AbortSignal): Promise<PushAnswer>
  /** Waits for a step of a playbook. @returns null when there was none for a while */
  awaitStep(signal: AbortSignal): Promise<GivenStep | null>
  /** The content of an artifact that was pushed. */
  upload(artifactId: string, content: Buffer, signal?: AbortSignal): Promise<void>
  /** Has the real product delete rows; our own upstream is told what is left instead. */
  remove(rows: { canaries: readonly string[]; checks: readonly string[] }, signal?: AbortSignal): Promise<void>
  /** Of other sources than this agent's files. */
  pullCanaries(signal?: AbortSignal): Promise<PulledCanary[]>
  close(): Promise<void>
}

const optionalText = z.string().optional().catch(undefined)
/** Why the upstream, or a gateway in front of it, refused. */
const RefusalSchema = z.object({ error: optionalText, message: optionalText })

const TIMEOUT_MS = 20_000
/** Longer than an upstream holds the request of an agent that waits for a step. */
const STEP_TIMEOUT_MS = 60_000
/** Before anything changed. */
const EVER = '0001-01-01T00:00:00Z'
const MAX_ERROR_LENGTH = 300
/** Exchanges that bound how far our clock is from the upstream's; some minutes of heartbeats. */
const MAX_EXCHANGES = 16
/** Our clock against the time that passed: more than this between two exchanges, and someone set it. */
const CLOCK_STEP_MS = 500

export interface UpstreamDeps {
  readonly url: string
  readonly token: string
  /** Said with every call, as agents of the real product do. */
  readonly name: string
  readonly clock: Clock
  /** Body of a push for a server without extensions. */
  readonly toPlainBody: (push: Push) => Record<string, readonly object[]>
}

export function createUpstream({ url, token, name, clock, toPlainBody }: UpstreamDeps): Upstream {
  const client: BackendClient = createBackendClient({ backendUrl: url })
  /** Each with the setting of our clock at the time: only exchanges since it was last set tell how wrong it is now. */
  const exchanges: (ClockExchange & { readonly setting: number })[] = []
  const settingOf = (): number => clock.now() - clock.monotonic()

  function clockBounds(): ReturnType<typeof toClockBounds> {
    const setting = settingOf()
    return toClockBounds(exchanges.filter((exchange) => Math.abs(exchange.setting - setting) < CLOCK_STEP_MS))
  }

  /** The last ping was answered with our identity: such an upstream understands our extensions. */
  let isExtended = false

  const authorization = `Basic ${Buffer.from(`token:${token}`).toString('base64')}`

  type Method = 'GET' | 'POST' | 'DELETE'

  async function call(
    method: Method,
    path: string,
    { query = {}, body, signal, timeoutMs = TIMEOUT_MS }: CallOptions,
  ): Promise<unknown> {
    let response: BackendResponse
    try {
      response = await client.request({
        path: `${path}?${new URLSearchParams({ agent_name: name, ...query }).toString()}`,
        method,
        headers: { authorization, accept: 'application/json', 'content-type': typeOf(body) },
        ...(body === undefined ? {} : { body: body instanceof Buffer ? body : toJson(body) }),
        ...(signal ? { signal } : {}),
        timeoutMs,
        credential: 'caller',
      })
      const text = await response.text()
      // The real product answers a push with nothing.
      if (response.status === 200) return text === '' ? null : parseJson(text, url)
      throw toError(response.status, text, url)
    } catch (error) {
      if (error instanceof BackendFailure) throw toAway(error, url)
      throw error
    }
  }

  return {
    ping: async (facts, signal) => {
      const bounds = clockBounds()
      const sentAt = clock.now()
      const extensions = {
        sent_at: new Date(sentAt).toISOString(),
        ...(bounds && { least_ms: String(bounds.least_ms), most_ms: String(bounds.most_ms) }),
        version: facts.version,
        hostname: facts.hostname,
        queued: String(facts.queued),
      }
      const query = { ...(facts.isStarting && { starting: 'true' }), ...(isExtended && extensions) }
      const setting = settingOf()
      const given = await call('GET', PING_PATH, { query, signal })
      isExtended = given !== null
      if (given === null) return null
      const answer = PingAnswerSchema.safeParse(given)
      if (!answer.success) throw unknown(url, 'its answer does not name the agent')
      // Set meanwhile: then the two readings do not belong together.
      if (Math.abs(settingOf() - setting) < CLOCK_STEP_MS) {
        exchanges.push({ sentAt, upstreamAt: Date.parse(answer.data.time), answeredAt: clock.now(), setting })
        exchanges.splice(0, exchanges.length - MAX_EXCHANGES)
      }
      return answer.data
    },
    push: async (push, signal) => {
      const body = isExtended
        ? { ...push, sent_at: new Date(clock.now()).toISOString(), clock: clockBounds() }
        : toPlainBody(push)
      const answer = PushAnswerSchema.safeParse(await call('POST', PUSH_PATH, { body, signal }))
      return answer.success ? answer.data : { refused: [], ended: [] }
    },
    awaitStep: async (signal) => {
      const given = await call('GET', AWAIT_STEP_PATH, { signal, timeoutMs: STEP_TIMEOUT_MS })
      const step = GivenStepSchema.safeParse(given)
      if (!step.success) throw unknown(url, 'the step that it gives cannot be read')
      return step.data.action.id === undefined ? null : step.data
    },
    upload: async (artifactId, content, signal) => {
      await call('POST', `${ARTIFACT_PATH}/${artifactId}`, { body: content, signal })
    },
    remove: async ({ canaries, checks }, signal) => {
      const toRow = (id: string): { id: string } => ({ id })
      const body = { canaries: canaries.map(toRow), checks: checks.map(toRow) }
      await call('DELETE', PUSH_PATH, { body, signal })
    },
    pullCanaries: async (signal) => {
      const given = await call('GET', PULL_CANARIES_PATH, { query: { since: EVER }, signal })
      const answer = PulledCanariesSchema.safeParse(given)
      if (answer.success)
        return (answer.data.canaries ?? []).filter(({ deleted_at: at, source }) => !at && source !== FILE_SOURCE)
      throw unknown(url, 'its canaries cannot be read')
    },
    close: () => client.close(),
  }
}

/**
 * What a command prints may hold what no database takes. The real product answers 500 to it, as to a failure that passes: one such
 * result would keep all later ones here for good.
 */
const toJson = (body: object): string => JSON.stringify(body, toStorablePart)

const typeOf = (body: object | undefined): string =>
  body instanceof Buffer ? 'application/octet-stream' : 'application/json'

interface CallOptions {
  readonly query?: Record<string, string>
  /** Bytes, or what is sent as JSON. */
  readonly body?: object
  readonly signal?: AbortSignal | undefined
  readonly timeoutMs?: number
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
  if (isNoAccessToken(status, text)) return new CodedError(AGENT_ERRORS.AGENT_TOKEN_REFUSED)
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
    // The upstream itself failed: a proxy in front of one that is away answers with another number.
    case 500:
      return new CodedError(AGENT_ERRORS.AGENT_PUSH_FAILED, { values: { detail } })
    default:
      return new CodedError(AGENT_ERRORS.AGENT_UPSTREAM_AWAY, { values: { url, detail } })
  }
}

/** The upstream's own words. */
function describe(status: number, text: string): string {
  const words = (): string | undefined => {
    try {
      const { error, message } = RefusalSchema.parse(JSON.parse(text))
      return error ?? message
    } catch {
      // A proxy's page, for example: the status has to do.
      return undefined
    }
  }
  return `${words()?.slice(0, MAX_ERROR_LENGTH) ?? 'no reason given'} (status ${status})`
}
