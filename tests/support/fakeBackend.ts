// A second HTTP server that behaves as a backend, or as badly as a test wants. Real sockets: what arrives is what was on the wire.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

import type { Role } from '@watchroom/shared/access'

export interface ReceivedRequest {
  readonly method: string
  /** Path and query exactly as they came. */
  readonly url: string
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

type Handler = (request: ReceivedRequest, response: ServerResponse) => void | Promise<void>

export const SERVICE_TOKEN = 'service-token-of-the-gateway-0123456789'

/** One person per role; a session is the cookie or token `session-{role}`. */
export const personOf = (role: Role): { id: string; email: string } => ({
  id: `0000000${['admin', 'editor', 'commander', 'responder', 'viewer'].indexOf(role) + 1}-0000-4000-8000-000000000000`,
  email: `${role}@example.test`,
})

export class FakeBackend {
  readonly #server: Server
  readonly #handlers = new Map<string, Handler>()
  /** Everything received, oldest first. */
  readonly requests: ReceivedRequest[] = []
  /** Roles by session, changed by a test to take rights away. A missing session answers 401. */
  readonly sessions = new Map<string, readonly string[]>()
  /**
   * How many rows of a source `table?filter` a caller is shown, or the status of a refusal; everyone is shown the same ten where
   * nothing is said. The caller is a session's name, or `service`.
   */
  shows: (caller: string, source: string) => number | { readonly status: number; readonly text: string } = () => 10
  url = ''

  constructor() {
    this.#server = createServer((request, response) => {
      // Broken off by the caller: then nothing was received.
      this.#serve(request, response).catch((error: unknown) => {
        if (!request.destroyed) throw error
      })
    })
    for (const role of ['admin', 'editor', 'commander', 'responder', 'viewer'])
      this.sessions.set(`session-${role}`, [role])
  }

  static async start(): Promise<FakeBackend> {
    const backend = new FakeBackend()
    await new Promise<void>((resolve) => backend.#server.listen(0, '127.0.0.1', resolve))
    backend.url = `http://127.0.0.1:${(backend.#server.address() as AddressInfo).port}`
    return backend
  }

  /** Answers `METHOD /path` (without query) with this from now on. */
  on(route: string, handler: Handler): void {
    this.#handlers.set(route, handler)
  }

  json(route: string, body: unknown, status = 200): void {
    this.on(route, (_request, response) => sendJson(response, status, body))
  }

  /** Requests that reached `METHOD /path`. */
  received(route: string): ReceivedRequest[] {
    return this.requests.filter((request) => routeOf(request) === route)
  }

  /** Nothing listens any more, and open connections end. */
  async stop(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise<void>((resolve) => this.#server.close(() => resolve()))
  }

  async #serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of incoming as AsyncIterable<Buffer>) chunks.push(chunk)
    const request: ReceivedRequest = {
      method: incoming.method ?? '',
      url: incoming.url ?? '',
      headers: incoming.headers,
      body: Buffer.concat(chunks).toString(),
    }
    this.requests.push(request)
    const handler = this.#handlers.get(routeOf(request))
    if (handler) return handler(request, response)
    return this.#answer(request, response)
  }

  /** What every backend can: sessions, roles, health; anything else echoes the path. */
  #answer(request: ReceivedRequest, response: ServerResponse): void {
    const path = routeOf(request).split(' ')[1] ?? ''
    if (path === '/health') return void response.end('OK')
    if (path === '/kratos/sessions/whoami') return this.#whoAmI(request, response)
    if (path === '/db/people_roles') return this.#roles(request, response)
    if (path === '/db/identities') return sendJson(response, 200, [{ state: 'active' }])
    if (path.startsWith('/db/') && request.headers.prefer === 'count=exact') return this.#count(request, response)
    return sendJson(response, 200, { path: request.url })
  }

  #count(request: ReceivedRequest, response: ServerResponse): void {
    const caller = request.headers.authorization === `Bearer ${SERVICE_TOKEN}` ? 'service' : sessionOf(request)
    const shown = this.shows(caller ?? '', request.url.slice('/db/'.length).replace(/[?&]select=id&limit=0$/, ''))
    if (typeof shown !== 'number') return void response.writeHead(shown.status).end(shown.text)
    response.writeHead(206, { 'content-type': 'application/json', 'content-range': `*/${shown}` }).end('[]')
  }

  #whoAmI(request: ReceivedRequest, response: ServerResponse): void {
    const session = sessionOf(request)
    if (session === undefined || !this.sessions.has(session)) {
      return sendJson(response, 401, { error: { id: 'session_inactive', code: 401, message: 'No session' } })
    }
    const { id, email } = personOf(session.replace('session-', '') as Role)
    return sendJson(response, 200, {
      id: 's',
      active: true,
      identity: { id, traits: { email, name: { first: 'Test', last: 'Person' } } },
    })
  }

  #roles(request: ReceivedRequest, response: ServerResponse): void {
    if (request.headers.authorization !== `Bearer ${SERVICE_TOKEN}`)
      return sendJson(response, 403, { message: 'not the service' })
    const ids = new Set(/id=in\.\(([^)]*)\)/.exec(request.url)?.[1]?.split(','))
    const people = [...this.sessions].map(([name, roles]) => ({
      id: personOf(name.replace('session-', '') as Role).id,
      roles,
    }))
    return sendJson(
      response,
      200,
      people.filter(({ id }) => ids.has(id)),
    )
  }
}

export function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' }).end(JSON.stringify(body))
}

function sessionOf({ headers }: ReceivedRequest): string | undefined {
  const session = /ory_kratos_session=([^;]+)/.exec(headers.cookie ?? '')?.[1] ?? headers['x-session-token']
  return typeof session === 'string' ? session : undefined
}

const routeOf = (request: ReceivedRequest): string => `${request.method} ${request.url.split('?', 1)[0]}`
