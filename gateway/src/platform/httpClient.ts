import type { IncomingHttpHeaders } from 'node:http'
import type { Readable } from 'node:stream'

import { type Dispatcher, errors, Pool } from 'undici'

/** Long enough for a slow network, short enough that a wrong address is noticed. */
const CONNECT_TIMEOUT_MS = 5_000
const DEFAULT_TIMEOUT_MS = 30_000
/** Parallel calls to the backend; more wait in line. A page opens with a dozen. */
const MAX_CONNECTIONS = 256
/** How much of an unwanted answer is read: beyond it a new connection is cheaper. */
const MAX_DISCARDED_BYTES = 64 * 1_024

export type BackendFailureKind =
  /** Nothing answered at the address. */
  | 'unavailable'
  /** No answer in time. */
  | 'timeout'
  /** The connection ended within the answer, or what came was not HTTP or not JSON. */
  | 'broken'
  /** The caller's signal said so. */
  | 'aborted'

/** The backend could not be asked, or its answer not read. Capabilities translate it into an error of their own catalogue. */
export class BackendFailure extends Error {
  override readonly name = 'BackendFailure'
  readonly kind: BackendFailureKind

  constructor(kind: BackendFailureKind, message: string, options?: ErrorOptions) {
    super(message, options)
    this.kind = kind
  }
}

export interface BackendRequest {
  /** Path and query as the backend sees them, from `/`. Sent as it is. */
  readonly path: string
  readonly method?: string
  readonly headers?: Readonly<Record<string, string | string[]>>
  /** A stream is sent as it comes; with `content-length` among the headers where that is known. */
  readonly body?: string | Uint8Array | Readable
  readonly signal?: AbortSignal
  /** Wait for the answer's head, and longest silence within its body. */
  readonly timeoutMs?: number
  /** `service` adds the gateway's own token; `caller` sends only the headers given. */
  readonly credential?: 'service' | 'caller'
}

export interface BackendResponse {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  /** Read it, or call `discard`: an unread body keeps its connection. */
  readonly body: Readable
  /** @throws BackendFailure `broken` when the body is not JSON */
  json(): Promise<unknown>
  text(): Promise<string>
  discard(): void
}

export interface BackendClient {
  /** Resolves with whatever status the backend gives. @throws BackendFailure */
  request(request: BackendRequest): Promise<BackendResponse>
  /** False when the gateway has no credential of its own: `service` calls then carry only the headers given. */
  readonly hasServiceCredential: boolean
  close(): Promise<void>
}

/**
 * The only way to the backend.
 *
 * @param options.backendUrl `http(s)://host[:port][/path]` or `unix:{socket path}`
 * @param options.token the gateway's own credential, for calls that no user made: an access token of five or six parts or
 * `user:password`, which go as HTTP Basic, or anything else, which goes as a bearer
 */
export function createBackendClient(options: { backendUrl: string; token?: string | undefined }): BackendClient {
  const { pool, basePath } = connect(options.backendUrl)
  const authorization = options.token === undefined ? undefined : toAuthorization(options.token)

  const send = async (request: BackendRequest): Promise<BackendResponse> => {
    const headers = { ...request.headers }
    if (authorization !== undefined && (request.credential ?? 'service') === 'service')
      headers.authorization = authorization
    const timeoutMs = request.timeoutMs ?? DEFAULT_TIMEOUT_MS
    try {
      const response = await pool.request({
        method: request.method ?? 'GET',
        path: basePath + request.path,
        headers,
        body: request.body ?? null,
        signal: request.signal ?? null,
        headersTimeout: timeoutMs,
        bodyTimeout: timeoutMs,
      })
      return toResponse(response)
    } catch (error) {
      throw toFailure(error, request)
    }
  }

  return {
    request: async (request) => {
      try {
        return await send(request)
      } catch (error) {
        // The backend may close a kept connection in the moment we use it; a read is safe to send again.
        if (!isClosedConnection(error) || !isRepeatable(request)) throw error
        return send(request)
      }
    },
    hasServiceCredential: options.token !== undefined,
    close: () => pool.destroy(),
  }
}

/** `{secret}.{salt}.{time}.{memory}.{parallelism}`, in newer servers with a padded key after the secret. Servers accept it as Basic only. */
const ACCESS_TOKEN = /^[\w-]+\.(?:[\w-]+=*\.)?[\w-]+\.\d+\.\d+\.\d+$/

function toAuthorization(token: string): string {
  const pair = ACCESS_TOKEN.test(token) ? `token:${token}` : token.includes(':') ? token : null
  return pair === null ? `Bearer ${token}` : `Basic ${Buffer.from(pair).toString('base64')}`
}

function connect(backendUrl: string): { pool: Pool; basePath: string } {
  const common = { connections: MAX_CONNECTIONS, pipelining: 1 }
  if (backendUrl.startsWith('unix:')) {
    const socketPath = backendUrl.slice('unix:'.length)
    return {
      pool: new Pool('http://backend', { ...common, connect: { socketPath, timeout: CONNECT_TIMEOUT_MS } }),
      basePath: '',
    }
  }
  const url = new URL(backendUrl)
  return {
    pool: new Pool(url.origin, { ...common, connect: { timeout: CONNECT_TIMEOUT_MS } }),
    basePath: url.pathname.replace(/\/+$/, ''),
  }
}

function toResponse(response: Dispatcher.ResponseData): BackendResponse {
  const text = async (): Promise<string> => {
    try {
      return await response.body.text()
    } catch (error) {
      throw toFailure(error)
    }
  }
  return {
    status: response.statusCode,
    headers: toHeaders(response.headers),
    body: response.body,
    text,
    json: async () => {
      const body = await text()
      try {
        return JSON.parse(body) as unknown
      } catch (error) {
        throw new BackendFailure('broken', 'the answer is not JSON', { cause: error })
      }
    },
    // Read to the end where that is near: a connection whose answer was broken off cannot serve the next call.
    discard: () => void response.body.dump({ limit: MAX_DISCARDED_BYTES }),
  }
}

/** Headers that may appear only once. Where a server repeats one, as PostgREST does with its 406, the first counts. */
const SINGLE_HEADERS: ReadonlySet<string> = new Set([
  'content-type',
  'content-length',
  'etag',
  'location',
  'retry-after',
])

/** As Node's own client returns them: undici makes a list of every repeated header. */
function toHeaders(headers: Dispatcher.ResponseData['headers']): IncomingHttpHeaders {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => {
      if (!Array.isArray(value) || name === 'set-cookie') return [name, value]
      return [name, SINGLE_HEADERS.has(name) ? value[0] : value.join(', ')]
    }),
  )
}

const CLOSED_CODES = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE'])
const UNAVAILABLE_CODES = new Set([
  'ECONNREFUSED',
  'ENOENT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EACCES',
  'ETIMEDOUT',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_DESTROYED',
  'UND_ERR_CLOSED',
])
const TIMEOUT_CODES = new Set(['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT'])

/** What an error of the transport means to the caller. */
export function toFailure(error: unknown, request?: BackendRequest): BackendFailure {
  if (error instanceof BackendFailure) return error
  const options = { cause: error }
  if (request?.signal?.aborted || error instanceof errors.RequestAbortedError)
    return new BackendFailure('aborted', 'the call was given up', options)
  const code = codeOf(error)
  if (TIMEOUT_CODES.has(code)) return new BackendFailure('timeout', 'no answer in time', options)
  if (UNAVAILABLE_CODES.has(code)) return new BackendFailure('unavailable', 'nothing answers at the address', options)
  return new BackendFailure('broken', 'the answer could not be read', options)
}

/** Several addresses tried at once fail together in one AggregateError; the first tells enough. */
function codeOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return codeOf(error.errors[0])
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}

const isClosedConnection = (error: unknown): boolean =>
  error instanceof BackendFailure && CLOSED_CODES.has(codeOf(error.cause))

const isRepeatable = (request: BackendRequest): boolean =>
  ['GET', 'HEAD'].includes(request.method ?? 'GET') && request.body === undefined
