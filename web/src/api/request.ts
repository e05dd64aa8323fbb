import type { Clock } from '@watchroom/shared/kernel'
import type { z } from 'zod'

import { systemClock } from '../live/clock.ts'
import type { FieldFault, HasFaults } from '../ui/form/fieldFault.ts'
import { PAGE_ORGANIZATION } from '../url/pageOrganization.ts'
import { takeFirstAnswer } from './firstAnswers.ts'
import { type ApiFailure, parseApiError } from './parseApiError.ts'
import { announceSessionEnded } from './sessionEnded.ts'

export { errorText } from '../ui/errorText.ts'

/** Why a request returned no value. `http` means that the server answered and refused. */
export type RequestFailure = 'timeout' | 'network' | 'offline' | 'http' | 'unreadable'

/** Texts of the first specification, section 8. */
const FAILURE_TEXTS = {
  timeout: 'Request timed out. Please try again.',
  network: 'Network Error. Please try again.',
  offline: 'No internet connection. Please try again.',
  unreadable: 'The server sent a response this version of Watchroom can’t read.',
} as const

/** A request that returned no value. `message` can be shown to the user as it is. */
export class RequestError extends Error implements HasFaults {
  override readonly name = 'RequestError'
  readonly failure: RequestFailure
  /** HTTP status, 0 when no answer came. */
  readonly status: number
  readonly details: ApiFailure
  /** Fields of the request that the server refused. */
  readonly faults: readonly FieldFault[]
  /** The answer's body, for callers that know its shape (sign-in flows). */
  readonly body: unknown
  /** Address that answered, after redirects. */
  readonly address: string | undefined

  constructor(
    failure: RequestFailure,
    options: { status?: number; details: ApiFailure; body?: unknown; address?: string; cause?: unknown },
  ) {
    super(options.details.message, { cause: options.cause })
    this.failure = failure
    this.status = options.status ?? 0
    this.details = options.details
    this.faults = options.details.faults ?? []
    this.body = options.body
    this.address = options.address
  }
}

export interface RequestOptions<Schema extends z.ZodType> {
  method?: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'
  /** Sent as JSON. */
  body?: unknown
  /** Parses the answer; the one edge where it is trusted or refused. */
  schema: Schema
  signal?: AbortSignal | undefined
  /** Milliseconds until the request fails as timed out. */
  timeoutMs?: number
  /** Replaces the default headers of the same name. */
  headers?: Readonly<Record<string, string>>
  /** `caller`: a 401 is an answer like any other (sign-in pages). Default: the session has ended for the whole page. */
  unauthorized?: 'session-ended' | 'caller'
}

export interface Page<Row> {
  rows: Row[]
  /** Rows that match over all pages. */
  total: number
}

export interface RequestDeps {
  fetch: (url: string, init: RequestInit & { signal: AbortSignal }) => Promise<Response>
  clock: Clock
  isOnline: () => boolean
  onSessionEnded: () => void
  /** Which organization the page belongs to. */
  organization?: string | undefined
}

/** Longer than any ordinary call takes; the gateway itself gives up earlier and says why. */
const DEFAULT_TIMEOUT_MS = 30_000

const DEFAULT_HEADERS = {
  accept: 'application/json',
  'content-type': 'application/json',
  prefer: 'return=representation',
} as const

/** All requests of the client go through what this returns; nothing else calls `fetch`. */
export function createRequest(deps: RequestDeps): {
  request: <Schema extends z.ZodType>(path: string, options: RequestOptions<Schema>) => Promise<z.output<Schema>>
  requestPage: <Schema extends z.ZodType>(
    path: string,
    options: RequestOptions<Schema>,
  ) => Promise<Page<z.output<Schema>>>
  /** Returns the answer as a file. */
  requestFile: (path: string, options?: Pick<SendOptions, 'signal' | 'timeoutMs'>) => Promise<Blob>
} {
  const organization = deps.organization === undefined ? {} : { 'x-watchroom-organization': deps.organization }

  async function send(path: string, options: SendOptions): Promise<Answer> {
    const abort = new AbortController()
    let timedOut = false
    const handleAbort = (): void => abort.abort(options.signal?.reason)
    if (options.signal?.aborted) handleAbort()
    options.signal?.addEventListener('abort', handleAbort, { once: true })
    const cancelTimer = deps.clock.schedule(() => {
      timedOut = true
      abort.abort()
    }, options.timeoutMs ?? DEFAULT_TIMEOUT_MS)

    try {
      const response = await deps.fetch(path, {
        method: options.method ?? 'GET',
        headers: { ...DEFAULT_HEADERS, ...organization, ...options.headers },
        credentials: 'same-origin',
        signal: abort.signal,
        ...(options.body === undefined ? {} : { body: JSON.stringify(options.body) }),
      })
      if (options.isFile && response.ok) return { response, body: undefined, file: await response.blob() }
      return { response, body: readBody(await response.text()) }
    } catch (error) {
      // The caller's own abort is no failure: it must reach TanStack Query as it is.
      if (options.signal?.aborted) throw error
      throw lostAnswer(timedOut ? 'timeout' : deps.isOnline() ? 'network' : 'offline', error)
    } finally {
      cancelTimer()
      options.signal?.removeEventListener('abort', handleAbort)
    }
  }

  async function sendAndCheck(path: string, options: SendOptions): Promise<Answer> {
    const answer = await send(path, options)
    const { response, body } = answer
    if (response.ok) return answer
    const { status, url: address } = response
    if (status === 401 && options.unauthorized !== 'caller') deps.onSessionEnded()
    throw new RequestError('http', { status, details: parseApiError(body), body, address })
  }

  return {
    async request(path, options) {
      return parseAnswer(options.schema, await sendAndCheck(path, options))
    },
    async requestPage(path, options) {
      // Replaces `return=representation`: PostgREST reads only one preference header here.
      const headers = { prefer: 'count=exact', ...options.headers }
      const answer = await sendAndCheck(path, { ...options, headers })
      const rows = parseAnswer(options.schema.array(), answer)
      return { rows, total: readTotal(answer.response.headers.get('content-range')) ?? rows.length }
    },
    async requestFile(path, options = {}) {
      const { file } = await sendAndCheck(path, { ...options, headers: { accept: '*/*' }, isFile: true })
      return file ?? new Blob()
    },
  }
}

type SendOptions = Omit<RequestOptions<z.ZodType>, 'schema'> & { isFile?: true }

interface Answer {
  response: Response
  body: unknown
  file?: Blob
}

function lostAnswer(failure: 'timeout' | 'network' | 'offline', cause: unknown): RequestError {
  return new RequestError(failure, { details: { message: FAILURE_TEXTS[failure] }, cause })
}

function readBody(text: string): unknown {
  if (text === '') return undefined
  try {
    return JSON.parse(text) as unknown
  } catch {
    // Several producers answer in plain text (proxies, access checks): parseApiError reads that too.
    return text
  }
}

function parseAnswer<Schema extends z.ZodType>(schema: Schema, { response, body }: Answer): z.output<Schema> {
  const parsed = schema.safeParse(body)
  if (parsed.success) return parsed.data
  const { status, url: address } = response
  const details = { message: FAILURE_TEXTS.unreadable }
  throw new RequestError('unreadable', { status, details, body, address, cause: parsed.error })
}

/** `0-49/1200` gives 1200; `*` stands for an unknown total. */
function readTotal(contentRange: string | null): number | undefined {
  const total = Number(contentRange?.split('/')[1])
  return Number.isInteger(total) ? total : undefined
}

export const { request, requestPage, requestFile } = createRequest({
  fetch: async (url, init) => (await takeFirstAnswer(url, init.signal)) ?? fetch(url, init),
  organization: PAGE_ORGANIZATION,
  clock: systemClock,
  isOnline: () => navigator.onLine,
  onSessionEnded: announceSessionEnded,
})
