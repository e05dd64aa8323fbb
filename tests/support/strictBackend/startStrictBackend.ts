// Stands between a gateway and the embedded backend and speaks as the real server does (backend reference 2.3, 3 and 14; recorded
// answers): it takes Basic and the session cookie only, refuses in plain text by its own policy, and knows none of our extensions.
// Nobody is given its database to listen to. What it leaves to the backend behind it: its checks run at once, and of every kind.
import {
  Agent,
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request as send,
  type ServerResponse,
} from 'node:http'
import type { AddressInfo } from 'node:net'

import { withoutEmptyCanaries } from '../plainUpstream.ts'
import { type Beyond, grantsOf, isGranted, isPublic, type Right, rightOfRelation, rightOfRoute } from './policy.ts'
import { narrowAnswer, rowOf, type ScopedReader } from './scopedCalls.ts'
import { narrow, type Scope } from './scopes.ts'

/** Someone who is signed in. */
export interface StrictCaller {
  readonly id: string
  readonly email: string
  readonly roles: readonly string[]
}

export interface StrictBackendOptions {
  /** Of the embedded backend behind it. */
  readonly socketPath: string
  readonly serviceToken: string
  /** Which rows someone sees; all of them when absent or null. */
  readonly scopeOf?: (caller: StrictCaller) => Scope | null
  /** Tables that it has beside those of the real server, as a later one may. */
  readonly beyond?: Beyond
}

/** What steps print: kept by our own backend alone, it is held to follow the runs that someone is shown. */
export const WITH_OUTPUT: Beyond = { playbook_run_outputs: 'playbooks' }

export interface StrictBackend {
  /** As BACKEND_URL. */
  readonly url: string
  /** As BACKEND_TOKEN: an administrator's `user:password`. */
  readonly credential: string
  readonly close: () => Promise<void>
}

const GATEWAY = { id: '00000000-0000-4000-8000-0000000000ad', email: 'gateway@strict.test', roles: ['admin'] } as const
const CREDENTIAL = `${GATEWAY.email}:password-of-the-gateway`
const CREDENTIAL_HEADER = `Basic ${Buffer.from(CREDENTIAL).toString('base64')}`

const FORBIDDEN = 'unauthorized. Access Denied'
const SESSION = /(?:^|;\s*)(ory_kratos_session=[^;]+)/

/** Headers that the real server does not know, or that this one sets anew. */
const isDropped = (name: string): boolean =>
  ['authorization', 'cookie', 'host', 'connection', 'content-length', 'x-session-token', 'accept-encoding'].includes(
    name,
  ) || name.startsWith('x-watchroom-')

interface Call {
  readonly method: string
  readonly path: string
  /** Without `?`. */
  readonly query: string
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

interface Admitted {
  readonly caller: StrictCaller
  /** How the backend behind is asked as this caller. */
  readonly headers: IncomingHttpHeaders
}

/** It takes a list of tags. */
const hasTagPairs = ({ body }: Call): boolean => {
  const { tags = [] } = JSON.parse(body.toString() || '{}') as { tags?: unknown }
  return !Array.isArray(tags)
}

export async function startStrictBackend(options: StrictBackendOptions): Promise<StrictBackend> {
  const behind = new Agent({ keepAlive: true })
  const ask = (call: Call): Promise<Answer> => askSocket(options.socketPath, behind, call)
  const pass = (call: Call, credential: IncomingHttpHeaders): Promise<Answer> =>
    ask({ ...call, headers: { ...keep(call.headers), ...credential } })

  const known = new Map<string, { readonly askedAt: number; readonly answer: Promise<Answer> }>()
  const identify = (cookie: string): Promise<Answer> => {
    const last = known.get(cookie)
    const askedAt = performance.now()
    if (last && askedAt - last.askedAt < KNOWN_MS) return last.answer
    const answer = ask({ ...WHO_AM_I, headers: { cookie } })
    known.set(cookie, { askedAt, answer })
    const forget = (): boolean => known.delete(cookie)
    answer.then(({ status }) => status === 200 || forget(), forget)
    return answer
  }

  const admit = async ({ headers }: Call): Promise<Admitted | Answer> => {
    if (headers.authorization === CREDENTIAL_HEADER) {
      return { caller: GATEWAY, headers: { authorization: `Bearer ${options.serviceToken}` } }
    }
    const cookie = SESSION.exec(headers.cookie ?? '')?.[1]
    const isBasic = /^basic /i.test(headers.authorization ?? '')
    if (!isBasic && cookie === undefined) return UNKNOWN
    const credential = isBasic ? { authorization: headers.authorization } : { cookie }
    const answer = await (isBasic || cookie === undefined
      ? ask({ ...WHO_AM_I, headers: credential })
      : identify(cookie))
    if (answer.status === 401) return UNKNOWN
    if (answer.status === 400) return NO_TOKEN
    // Too busy to say who it is, which must not look like nobody.
    if (answer.status !== 200) throw new Error(`who is there was answered with ${answer.status}`)
    const { payload } = JSON.parse(answer.body.toString()) as WhoAmI
    return {
      caller: { id: payload.user.id, email: payload.user.email ?? '', roles: payload.roles },
      headers: credential,
    }
  }

  /** Rows as this caller sees them, and as someone without a scope does. */
  const readerOf = (scope: Scope | null, call: Call, credential: IncomingHttpHeaders): ScopedReader => {
    const read = async (table: string, query: string): Promise<Record<string, unknown>[]> => {
      const asked = { ...call, headers: {}, method: 'GET', path: `/db/${table}`, query, body: EMPTY }
      const answer = await pass(asked, credential)
      if (answer.status !== 200) throw new Error(`${table} was answered with ${answer.status}`)
      return JSON.parse(answer.body.toString()) as Record<string, unknown>[]
    }
    return {
      isScoped: (table) => scope?.[table] !== undefined,
      read,
      readIds: async (table, filter = '') => {
        const query = narrow(table, ['select=id', filter].filter(Boolean).join('&'), scope ?? {})
        return new Set((await read(table, query)).map(({ id }) => String(id)))
      },
    }
  }

  const answerSummary = async (call: Call, scope: Scope | null, credential: IncomingHttpHeaders): Promise<Answer> => {
    const query = new URLSearchParams(call.query)
    query.delete('since')
    const answer = await pass({ ...call, query: query.toString() }, credential)
    if (answer.status !== 200) return withInternals(answer)
    const { runnerName, checks_summary: rows } = JSON.parse(answer.body.toString()) as Summary
    const ids = scope && (await readerOf(scope, call, credential).readIds('checks'))
    return json(200, { duration: 1, runnerName, checks_summary: rows.filter(({ id }) => ids?.has(id) ?? true) })
  }

  /** Components are trees: what someone is not shown is cut out with all that is below it. */
  const answerTopology = async (call: Call, scope: Scope | null, credential: IncomingHttpHeaders): Promise<Answer> => {
    const query = new URLSearchParams(call.query)
    // It knows the tree alone.
    query.delete('rows')
    const answer = await pass({ ...call, query: query.toString() }, credential)
    if (scope === null || answer.status !== 200) return withInternals(answer)
    const ids = await readerOf(scope, call, credential).readIds('components')
    const cut = (components: readonly Branch[] | null | undefined): Branch[] =>
      (components ?? [])
        .filter(({ id }) => ids.has(id))
        .map((branch) => (branch.components ? { ...branch, components: cut(branch.components) } : branch))
    const { components, ...rest } = JSON.parse(answer.body.toString()) as { components: Branch[] | null }
    return json(200, { ...rest, components: cut(components) })
  }

  const serve = async (call: Call): Promise<Answer> => {
    const { method, path, query } = call
    if (isPublic(path)) {
      const { cookie, 'x-session-token': token } = call.headers
      return pass(call, {
        ...(cookie === undefined ? {} : { cookie }),
        ...(token === undefined ? {} : { 'x-session-token': token }),
      })
    }
    const admitted = await admit(call)
    if ('status' in admitted) return admitted
    const { caller, headers } = admitted
    const scope = options.scopeOf?.(caller) ?? null
    if (path.startsWith('/db/')) {
      const name = path.slice('/db/'.length)
      const right = rightOfRelation(method, name, options.beyond)
      if (right === null) return text(404, '')
      if (right === 'nobody' || !isGranted(caller.roles, right)) return text(403, FORBIDDEN)
      return pass({ ...call, query: scope ? narrow(name, query, scope) : query }, headers)
    }
    const right = rightOfRoute(method, path)
    if (right === null) return json(404, { message: 'Not Found' })
    if (right !== 'signed-in' && !isGranted(caller.roles, right))
      return text(403, FORBIDDEN, toRbacHeaders(caller, right))
    if (path === '/auth/whoami') return json(200, toWhoAmI(caller))
    if (path === '/catalog/summary' && hasTagPairs(call)) {
      return json(400, {
        error: 'invalid request: code=400, message=Unmarshal type error: expected=[]string, got=object',
      })
    }
    const { length } = /^\/playbook\/run\/approve\/(.*)$/.exec(path)?.[1] ?? ''
    if (length > UUID_LENGTH) {
      return json(400, { error: `invalid UUID length: ${length}`, message: 'invalid run id' })
    }
    if (path === '/canary/about') return json(200, { Timestamp: new Date().toISOString(), Version: 'strict' })
    if (path === '/canary/api/summary') return answerSummary(call, scope, headers)
    if (path === '/canary/api/topology') return answerTopology(call, scope, headers)
    const reader = readerOf(scope, call, headers)
    const row = rowOf(path, query, call.body)
    if (row && reader.isScoped(row.table) && !(await reader.readIds(row.table, row.filter)).has(row.id)) {
      return json(404, { error: `${row.table} (${row.id}) was not found` })
    }
    const answer = withInternals(await pass(call, headers))
    const isEmpty = answer.status === 200 && /^\/upstream\/(?:ping|push)$/.test(path)
    if (isEmpty) return text(200, '')
    if (path === '/upstream/canary/pull' && answer.status === 200)
      return json(200, JSON.parse(withoutEmptyCanaries(answer.body.toString())))
    if (scope === null || answer.status !== 200) return answer
    const narrowed = await narrowAnswer(path, answer.body, call.body, reader)
    return narrowed === null ? answer : json(200, narrowed.body)
  }

  const serveAndForget = async (call: Call): Promise<Answer> => {
    const answer = await serve(call)
    // It may have changed what someone may, or have ended a session.
    if (call.method !== 'GET' || isPublic(call.path)) known.clear()
    return answer
  }
  // Whoever keeps a connection finds it open: none is closed under a call.
  const server = createServer({ keepAliveTimeout: 0 }, (request, response) => {
    void readCall(request)
      .then(serveAndForget)
      .then((answer) => reply(request, response, answer))
      // As the real one does when a handler panics, or what is behind it is away.
      .catch(() => response.destroy())
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    credential: CREDENTIAL,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
        behind.destroy()
      }),
  }
}

interface WhoAmI {
  readonly payload: { readonly user: { readonly id: string; readonly email?: string }; readonly roles: string[] }
}
interface Summary {
  readonly runnerName: string
  readonly checks_summary: readonly { readonly id: string }[]
}

/** Of the topology. */
interface Branch {
  readonly id: string
  readonly components?: readonly Branch[] | null
}

/** Whose cookie it is, is not asked for every call: half of what this server would ask. Milliseconds. */
const KNOWN_MS = 100

/** It takes all that follows for the id of a run. */
const UUID_LENGTH = 36

const EMPTY = Buffer.alloc(0)
const WHO_AM_I = { method: 'GET', path: '/auth/whoami', query: '', body: EMPTY } as const

/** Nobody's name is known there but by their cookie's owner, who is not asked. */
function toWhoAmI({ id, email, roles }: StrictCaller): object {
  const user = { id, name: '', email, properties: { role: roles[0] ?? '' } }
  return {
    message: 'success',
    payload: { user, roles: ['everyone', ...roles], permissions: grantsOf(roles), hostname: 'strict' },
  }
}

const toRbacHeaders = ({ id }: StrictCaller, { object, action }: Right): Record<string, string> => ({
  'x-rbac-subject': id,
  'x-rbac-object': object,
  'x-rbac-action': action,
})

/** Its errors tell where in its sources they arose, and about whom. */
function withInternals(answer: Answer): Answer {
  if (answer.status < 400 || !/json/.test(answer.headers['content-type'] ?? '')) return answer
  const body = JSON.parse(answer.body.toString()) as object
  const internals = {
    stacktrace: '  --- at /app/server/handler.go:42 (Server.handle)',
    context: { name: 'strict', namespace: 'default', user: 'someone' },
    time: new Date().toISOString(),
    trace: '01STRICT',
  }
  return json(answer.status, { ...body, ...internals })
}

const text = (status: number, words: string, headers: IncomingHttpHeaders = {}): Answer => ({
  status,
  headers: { ...headers, ...(words === '' && status === 200 ? {} : { 'content-type': 'text/plain; charset=UTF-8' }) },
  body: Buffer.from(words),
})

const UNKNOWN = text(401, 'Authorization Error')
/** What is no access token at all, brought as one. */
const NO_TOKEN = text(400, 'invalid access token')

const json = (status: number, body: unknown): Answer => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: Buffer.from(JSON.stringify(body)),
})

const keep = (headers: IncomingHttpHeaders): IncomingHttpHeaders =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !isDropped(name)))

async function readCall(request: IncomingMessage): Promise<Call> {
  const [path = '', ...rest] = (request.url ?? '').split('?')
  const chunks: Buffer[] = []
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
  return {
    method: request.method ?? '',
    path,
    query: rest.join('?'),
    headers: request.headers,
    body: Buffer.concat(chunks),
  }
}

function askSocket(socketPath: string, agent: Agent, { method, path, query, headers, body }: Call): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const target = { socketPath, method, path: query === '' ? path : `${path}?${query}`, agent }
    const length = body.length === 0 ? {} : { 'content-length': String(body.length) }
    const sent = send({ ...target, headers: { ...headers, ...length } }, (answer) => {
      const chunks: Buffer[] = []
      answer.on('data', (chunk: Buffer) => chunks.push(chunk))
      answer.on('error', reject)
      answer.on('end', () =>
        resolve({ status: answer.statusCode ?? 502, headers: answer.headers, body: Buffer.concat(chunks) }),
      )
    })
    sent.on('error', reject)
    sent.end(body)
  })
}

function reply({ method }: IncomingMessage, response: ServerResponse, { status, headers, body }: Answer): void {
  const { 'transfer-encoding': _chunked, connection: _connection, ...kept } = headers
  response.writeHead(status, { ...kept, ...(status === 204 ? {} : { 'content-length': String(body.length) }) })
  response.end(method === 'HEAD' ? undefined : body)
}
