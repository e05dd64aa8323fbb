// `/db/*`: PostgREST behind the console's rights. The caller was authenticated and authorized before these handlers run.
import { randomUUID } from 'node:crypto'

import { databaseRole, findSelectRefusal, highestRole, missingRowFilter, SERVICE_ROLE } from '@watchroom/shared/access'
import { sleep } from '@watchroom/shared/kernel'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Dispatcher, Pool } from 'undici'

import { type CallSlotSettings, createCallSlots } from '../../platform/createCallSlots.ts'
import { redactDatabaseError } from '../../platform/database/redactDatabaseError.ts'
import { SQL_STATE } from '../../platform/database/sqlState.ts'
import { callerSignal, onceEnded } from '../../platform/http/callerSignal.ts'
import { POOL_SIZE } from '../postgrest/createPostgrest.ts'
import { signToken } from '../postgrest/signToken.ts'
import { costOfBytes, costOfTime, currentLoad } from './callCost.ts'
import type { BackendContext } from './context.ts'
import { forwardedBlock } from './forwarded.ts'
import { isUnreadableWrite, judgeWrite, type RowJudges } from './judgeWrite.ts'
import { isService, type Principal } from './principal.ts'
import { rewriteFilters } from './rewriteFilters.ts'

/** Bulk inserts of a scraper or an agent; the gateway itself allows less to browsers. */
const MAX_BODY_BYTES = 16 * 1_048_576
const FORWARDED_HEADERS = ['accept', 'content-type', 'prefer', 'range', 'range-unit', 'accept-encoding'] as const
const DROPPED_HEADERS = new Set(['connection', 'keep-alive', 'transfer-encoding', 'server', 'date', 'www-authenticate'])
/** PostgREST is back within this time after either of the two has died; a read waits for it instead of failing. */
const READ_RETRY_MS = 3_000
const READ_RETRY_INTERVAL_MS = 100
const MAX_CONNECTIONS = 64
/** Between two attempts to end the query of a caller who left. */
const END_RETRY_MS = 200

/** PostgREST's code for a query that it cannot read. */
const UNREADABLE_SELECT = 'PGRST100'
const UNREADABLE_TYPE = 'PGRST102'
const SELECT_REFUSED = 'The select cannot be read, or embeds too much or what is not known.'

/** PostgREST's own are a few hundred bytes; one that lists relationships may have some thousand. */
const MAX_REFUSAL_BYTES = 65_536
/** Standing in line and the longest query end together before the gateway stops waiting (30 s). */
export const CALL_SLOTS: CallSlotSettings = {
  // The others are the service's: roles, pollers, write-back.
  total: POOL_SIZE - 6,
  perCaller: 6,
  waitingPerCaller: 32,
  waitingTotal: 512,
  maxWaitMs: 8_000,
  // Milliseconds of work, as `callCost` says it: a page or a report comes at once, and who goes on and on gets a tenth of a core.
  budget: { burst: 4_000, perSecond: 100 },
}
const TOO_MANY_CALLS = 'You have too many calls under way. Wait for some of them and try again.'
const DATABASE_BUSY = 'The database is busy. Try again.'

/** Answered with 503 while a database process is started again. */
export const DATABASE_AWAY = 'The database is being restarted. Try again.'

export interface DatabaseRoutesDeps {
  postgrestSocket: string
  jwtSecret: string
  /** For tables whose rows must meet more than the rules of the database. */
  rowJudges: RowJudges
}

type Context = Pick<BackendContext, 'clock' | 'pool' | 'logger'>

export async function databaseRoutes(
  app: FastifyInstance,
  { context, postgrestSocket, jwtSecret, rowJudges }: DatabaseRoutesDeps & { context: Context },
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

  const slots = createCallSlots(clock, CALL_SLOTS)

  const send = (request: FastifyRequest, path: string, call: string): Promise<Dispatcher.ResponseData> => {
    const principal = required(request.principal)
    const id = actorOf(request) ?? principal.id
    // Signed per request, so that a role taken away is gone at once.
    const token = signToken({ role: roleOf(principal), id, call }, jwtSecret, clock.now())
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
  const sendPatiently = async (
    request: FastifyRequest,
    path: string,
    call: string,
    caller: AbortSignal,
  ): Promise<Dispatcher.ResponseData> => {
    const isRead = request.method === 'GET' || request.method === 'HEAD'
    const startedAt = clock.monotonic()
    for (;;) {
      const mayRetry = isRead && clock.monotonic() - startedAt < READ_RETRY_MS && !caller.aborted
      try {
        const response = await send(request, path, call)
        if (response.statusCode !== 503 || !mayRetry) return response
        await response.body.dump()
      } catch (error) {
        if (!mayRetry) throw error
      }
      await sleep(clock, READ_RETRY_INTERVAL_MS)
    }
  }

  /** PostgREST lets a query run on when its client hangs up. */
  const endQuery = async (call: string): Promise<void> => {
    try {
      await context.pool.query('select pg_cancel_backend(pid) from pg_stat_activity where application_name = $1', [
        `watchroom-call ${call}`,
      ])
    } catch (error) {
      context.logger.debug({ err: error }, 'query of a caller who left not ended')
    }
  }

  /** What is sent is only known when it has been. */
  const chargeWhenSent = (request: FastifyRequest, reply: FastifyReply, caller: string): void => {
    const { socket } = request.raw
    const writtenBefore = socket.bytesWritten
    const received = request.body instanceof Uint8Array ? request.body.length : 0
    onceEnded(reply, () => {
      const bytes = received + socket.bytesWritten - writtenBefore
      slots.charge(caller, costOfBytes(bytes))
    })
  }

  /** The place in line is kept until the database is done, whether someone still waits for the answer or not. */
  const ask = async (request: FastifyRequest, reply: FastifyReply, path: string): Promise<FastifyReply> => {
    const call = randomUUID()
    const query = { isRunning: false }
    // Again and again: a query that has not reached the database yet cannot be found there.
    const end = async (): Promise<void> => {
      while (query.isRunning) {
        await endQuery(call)
        await sleep(clock, END_RETRY_MS)
      }
    }
    const gone = callerSignal(reply)
    gone.addEventListener('abort', () => void end(), { once: true })
    const principal = required(request.principal)
    // The service asks who someone is and what they may do: other people's queries must not hold that up.
    const caller = isService(principal) ? null : callerOf(request, principal)
    const slot = caller === null ? UNBOUNDED : await slots.enter(caller, gone)
    if (slot.kind !== 'entered') return refuseBusy(reply, slot.kind)
    if (gone.aborted) {
      slot.leave()
      return refuseBusy(reply, 'gone')
    }
    query.isRunning = true
    if (caller !== null) chargeWhenSent(request, reply, caller)
    const startedAt = clock.monotonic()
    let response: Dispatcher.ResponseData
    try {
      response = await sendPatiently(request, path, call, gone)
    } catch (error) {
      if (!gone.aborted) context.logger.warn({ err: error }, 'PostgREST does not answer')
      return reply.code(503).header('retry-after', '1').send({ error: DATABASE_AWAY })
    } finally {
      query.isRunning = false
      if (caller !== null) slots.charge(caller, costOfTime(clock.monotonic() - startedAt, currentLoad()))
      slot.leave()
    }
    return response.statusCode >= 400 ? sendRefusal(reply, response) : copyAnswer(reply, response)
  }

  app.all('/db/*', { bodyLimit: MAX_BODY_BYTES }, async (request, reply) => {
    const { path, query } = splitUrl(request.raw.url ?? '')
    // For PostgREST a value ends there: it would run another question than the one that was judged.
    if (query.includes('%00'))
      return reply.code(400).send(toRefusal(SQL_STATE.untranslatableCharacter, 'A query cannot hold NUL.'))
    const rewritten = rewriteFilters(query, clock.now())
    if (!rewritten.ok)
      return reply.code(400).send({ error: `${rewritten.error} is not a filter`, message: 'Bad filter' })
    const missing = missingRowFilter(request.method, path, rewritten.value)
    // As PostgREST says it where the database itself asks for a filter.
    if (missing !== null) return reply.code(400).send(toRefusal(SQL_STATE.cardinalityViolation, missing))
    const principal = required(request.principal)
    const embed = isService(principal) ? null : findSelectRefusal(path, rewritten.value, principal.roles)
    if (embed?.kind === 'denied')
      return reply
        .code(403)
        .send(toRefusal(SQL_STATE.insufficientPrivilege, `permission denied for table ${embed.table}`))
    if (embed) return reply.code(400).send(toRefusal(UNREADABLE_SELECT, SELECT_REFUSED))
    const table = path.slice('/db/'.length)
    if (isUnreadableWrite(request, table, rowJudges))
      return reply.code(415).send(toRefusal(UNREADABLE_TYPE, `Rows of ${table} are written as JSON.`))
    const wrong = await judgeWrite(request, table, rowJudges)
    if (wrong !== null) return reply.code(400).send(toRefusal(SQL_STATE.checkViolation, wrong))
    return ask(request, reply, path.slice('/db'.length) + (rewritten.value === '' ? '' : `?${rewritten.value}`))
  })
}

const toRefusal = (code: string, message: string) => ({ code, details: null, hint: null, message })

const UNBOUNDED = { kind: 'entered', leave: () => undefined } as const

/** Where nobody signs in everyone is the same person: then their addresses tell them apart. */
function callerOf(request: FastifyRequest, { kind, id }: Principal): string {
  return kind === 'service' ? `from ${forwardedBlock(request)}` : id
}

function refuseBusy(reply: FastifyReply, reason: 'caller-busy' | 'all-busy' | 'gone'): FastifyReply {
  const isOwn = reason === 'caller-busy'
  return reply
    .code(isOwn ? 429 : 503)
    .header('retry-after', '1')
    .send({ error: isOwn ? TOO_MANY_CALLS : DATABASE_BUSY })
}

function copyHeaders(reply: FastifyReply, response: Dispatcher.ResponseData): void {
  for (const [name, value] of Object.entries(response.headers)) {
    if (value !== undefined && !DROPPED_HEADERS.has(name)) reply.header(name, value)
  }
}

function copyAnswer(reply: FastifyReply, response: Dispatcher.ResponseData): FastifyReply {
  copyHeaders(reply, response)
  return reply.code(response.statusCode).send(response.body)
}

/** What the database refused, without what it quotes of its rows. */
async function sendRefusal(reply: FastifyReply, response: Dispatcher.ResponseData): Promise<FastifyReply> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of response.body as AsyncIterable<Buffer>) {
    chunks.push(chunk)
    size += chunk.length
    // A cut answer is not JSON any more, so none of it is passed on.
    if (size > MAX_REFUSAL_BYTES) break
  }
  copyHeaders(reply, response)
  reply.removeHeader('content-length')
  return reply.code(response.statusCode).send(redactDatabaseError(Buffer.concat(chunks).toString()))
}

function required<Value>(value: Value | null): Value {
  if (value === null) throw new Error('the database routes need a principal')
  return value
}

/** The person for whom the gateway itself writes; nobody else may say so. The triggers name that person in the histories. */
function actorOf(request: FastifyRequest): string | null {
  const actor = request.headers['x-watchroom-actor']
  return request.principal?.kind === 'service' && typeof actor === 'string' ? actor : null
}

const roleOf = (principal: Principal): string =>
  isService(principal) ? SERVICE_ROLE : databaseRole(highestRole(principal.roles))

function splitUrl(url: string): { path: string; query: string } {
  const start = url.indexOf('?')
  return start === -1 ? { path: url, query: '' } : { path: url.slice(0, start), query: url.slice(start + 1) }
}
