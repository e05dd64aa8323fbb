// `/db/*`: PostgREST behind the console's rights. The caller was authenticated and authorised before these handlers run.
import { databaseRole, highestRole } from '@watchroom/shared/access'
import { sleep } from '@watchroom/shared/kernel'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Dispatcher, Pool } from 'undici'

import { signToken } from '../postgrest/signToken.ts'
import type { BackendContext } from './context.ts'
import { rewriteFilters } from './rewriteFilters.ts'

/** Bulk inserts of a scraper or an agent; the gateway itself allows less to browsers. */
const MAX_BODY_BYTES = 16 * 1_048_576
const FORWARDED_HEADERS = ['accept', 'content-type', 'prefer', 'range', 'range-unit', 'accept-encoding'] as const
const DROPPED_HEADERS = new Set(['connection', 'keep-alive', 'transfer-encoding', 'server', 'date', 'www-authenticate'])
/** PostgREST is back within this time after either of the two has died; a read waits for it instead of failing. */
const READ_RETRY_MS = 3_000
const READ_RETRY_INTERVAL_MS = 100
const MAX_CONNECTIONS = 64

/** Answered with 503 while a database process is started again. */
export const DATABASE_AWAY = 'The database is being restarted. Try again.'

export interface DatabaseRoutesDeps {
  postgrestSocket: string
  jwtSecret: string
}

export async function databaseRoutes(
  app: FastifyInstance,
  { context, postgrestSocket, jwtSecret }: DatabaseRoutesDeps & { context: BackendContext },
): Promise<void> {
  const { clock } = context
  const postgrest = new Pool('http://postgrest', {
    connections: MAX_CONNECTIONS,
    connect: { socketPath: postgrestSocket },
  })
  app.addHook('onClose', () => postgrest.destroy())
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: MAX_BODY_BYTES }, (_request, body, done) =>
    done(null, body),
  )

  const send = (request: FastifyRequest, path: string): Promise<Dispatcher.ResponseData> => {
    if (!request.principal) throw new Error('the database routes need a principal')
    const { roles } = request.principal
    const id = actorOf(request) ?? request.principal.id
    // Signed per request, so that a role taken away is gone at once.
    const token = signToken({ role: databaseRole(highestRole(roles)), id }, jwtSecret, clock.now())
    const headers: Record<string, string> = { authorization: `Bearer ${token}` }
    for (const name of FORWARDED_HEADERS) {
      const value = request.headers[name]
      if (typeof value === 'string') headers[name] = value
    }
    return postgrest.request({
      method: request.method,
      path,
      headers,
      body: request.body instanceof Uint8Array ? request.body : null,
    })
  }

  /** Only reads are repeated: a write whose answer was lost may have happened. */
  const sendPatiently = async (request: FastifyRequest, path: string): Promise<Dispatcher.ResponseData> => {
    const isRead = request.method === 'GET' || request.method === 'HEAD'
    const startedAt = clock.monotonic()
    for (;;) {
      const mayRetry = isRead && clock.monotonic() - startedAt < READ_RETRY_MS
      try {
        const response = await send(request, path)
        if (response.statusCode !== 503 || !mayRetry) return response
        await response.body.dump()
      } catch (error) {
        if (!mayRetry) throw error
      }
      await sleep(clock, READ_RETRY_INTERVAL_MS)
    }
  }

  app.all('/db/*', { bodyLimit: MAX_BODY_BYTES }, async (request, reply) => {
    const { path, query } = splitUrl(request.raw.url ?? '')
    const rewritten = rewriteFilters(query, clock.now())
    if (!rewritten.ok)
      return reply.code(400).send({ error: `${rewritten.error} is not a filter`, message: 'Bad filter' })
    const target = path.slice('/db'.length) + (rewritten.value === '' ? '' : `?${rewritten.value}`)
    let response: Dispatcher.ResponseData
    try {
      response = await sendPatiently(request, target)
    } catch (error) {
      context.logger.warn({ err: error }, 'PostgREST does not answer')
      return reply.code(503).header('retry-after', '1').send({ error: DATABASE_AWAY })
    }
    return copyAnswer(reply, response)
  })
}

function copyAnswer(reply: FastifyReply, response: Dispatcher.ResponseData): FastifyReply {
  for (const [name, value] of Object.entries(response.headers)) {
    if (value !== undefined && !DROPPED_HEADERS.has(name)) reply.header(name, value)
  }
  return reply.code(response.statusCode).send(response.body)
}

/** The person for whom the gateway itself writes; nobody else may say so. The triggers name that person in the histories. */
function actorOf(request: FastifyRequest): string | null {
  const actor = request.headers['x-watchroom-actor']
  return request.principal?.kind === 'service' && typeof actor === 'string' ? actor : null
}

function splitUrl(url: string): { path: string; query: string } {
  const start = url.indexOf('?')
  return start === -1 ? { path: url, query: '' } : { path: url.slice(0, start), query: url.slice(start + 1) }
}
