// Logs as one part of the backend: the selector of a component leads to those that hold its lines.
import { join } from 'node:path'

import { sleep, messageOf } from '@watchroom/shared/kernel'
import { type LogPage, type LogQuery, toWords } from '@watchroom/shared/logs'

import type { Executor } from '../../executor/contract.ts'
import { createBoundedQueue } from '../../platform/createBoundedQueue.ts'
import { OWN_LOG_FOLDER } from '../../platform/createOwnLog.ts'
import { Refusal } from '../../platform/http/refusal.ts'
import { createCheckOpener } from '../checks/createCheckOpener.ts'
import { createNetwork } from '../outbound/createNetwork.ts'
import type { BackendContext } from '../server/context.ts'
import { tryParseDateMath } from '../server/dateMath.ts'
import { toPage, toTail, tryParsePage, tryParseTail } from './cursor.ts'
import { findSelector } from './findSelector.ts'
import type { Log, LogSearch } from './log.ts'
import { createLogSource, type LogSource, type SourceDeps } from './logSource.ts'
import { readSources } from './readSources.ts'
import { findAround, type Found, readNews, searchLogs } from './searchLogs.ts'

export interface Logs {
  /** @throws Refusal */
  search(query: LogQuery): Promise<LogPage>
  /** Ends the programs that run. */
  close(): Promise<void>
}

/** What one search reads at most; a page may then be short, and the next one goes on. */
const BUDGET = { bytes: 256 * 1024 * 1024, ms: 3_000 }
/** Searches at once, and those that may wait. */
const QUEUE = { parallel: 3, maxWaiting: 50 }
/** How long an answer waits for news, and how often it looks. */
const WAIT_MS = 2_000
const LOOK_MS = 100

export function createLogs(
  context: BackendContext,
  { executor, hidden }: { readonly executor: Executor; readonly hidden: readonly string[] },
): Logs {
  const { pool, clock, options } = context
  const logger = context.logger.child({ part: 'logs' })
  const queue = createBoundedQueue(QUEUE)
  const programs: SourceDeps['programs'] = new Map()
  const deps: SourceDeps = {
    clock,
    logger,
    executor,
    programs,
    opener: createCheckOpener(context),
    wayOut: createNetwork(),
    roots: { own: join(options.dataDirectory, 'logs'), others: options.logRoots ?? [], hidden },
    ownLog: { own: join(options.dataDirectory, OWN_LOG_FOLDER), others: [], hidden: [] },
  }
  let isClosed = false

  const endForgotten = async (): Promise<void> => {
    if (programs.size === 0) return
    const { rows } = await pool.query<{ id: string }>('select id from logging_backends where deleted_at is null')
    for (const [key, program] of programs) {
      if (rows.some(({ id }) => key.startsWith(id))) continue
      programs.delete(key)
      await program.close()
    }
  }

  const sourcesOf = async ({ id, name }: LogQuery): Promise<Asked> => {
    const target = await findSelector(pool, id, name)
    await endForgotten()
    try {
      const { sources, notAsked } = await readSources({ ...context, logger }, target)
      return { sources: sources.map((spec) => namedAs(spec.name, createLogSource(deps, spec))), notAsked }
    } catch (error) {
      throw toRefusal('its definition', error)
    }
  }

  const find = async (query: LogQuery): Promise<LogPage> => {
    const page = readPage(query.page)
    // What does not fit is told before anything is asked.
    readRange(query, clock.now())
    const { sources, notAsked } = await sourcesOf(query)
    const answer = await withLogs(sources, async (logs) => {
      // A program has just begun to print: now is later.
      const range = page ?? readRange(query, clock.now())
      const search = toSearch(query, range)
      if (query.around === undefined || page !== null) {
        // What stands around a line is looked for neither by words nor by labels.
        const wanted = query.around === undefined ? search : { ...search, words: [], labels: {} }
        return toAnswer(await searchLogs(logs, page?.places ?? {}, wanted, query.limit), range)
      }
      const found = await findAround(logs, query.around, search, query.limit)
      if (!found) throw new Refusal(404, { error: 'record not found', message: 'around: this line is gone' })
      return toAnswer(found, { start: 0, end: range.end })
    })
    return { ...answer, ...(notAsked.length > 0 && { notAsked: [...notAsked] }) }
  }

  const toSearch = (query: LogQuery, { start, end }: Range): LogSearch => ({
    start,
    end,
    words: toWords(query.query),
    labels: query.labels,
    budget: { bytes: BUDGET.bytes, endsAt: clock.monotonic() + BUDGET.ms },
  })

  /** The newest lines that there are, and where their tail begins. */
  const beginTail = async (query: LogQuery, sources: readonly LogSource[]): Promise<LogPage> =>
    withLogs(sources, async (logs) => {
      const search = toSearch(query, readRange(query, clock.now()))
      const ends = await Promise.all(logs.map(async ({ key, follow }) => [key, (await follow?.end()) ?? '0'] as const))
      const { lines } = await searchLogs(logs, {}, search, query.limit)
      return { ...(lines.length > 0 && { results: [...lines] }), tail: toTail(Object.fromEntries(ends)) }
    })

  const goOn = async (query: LogQuery, sources: readonly LogSource[], text: string): Promise<LogPage> => {
    let places = tryParseTail(text)
    if (places === null) throw invalid('follow: this is no tail of an earlier answer')
    const search = toSearch(query, { start: 0, end: Infinity })
    const until = clock.monotonic() + WAIT_MS
    for (let seen = ''; ; await sleep(clock, LOOK_MS)) {
      const signature = (await Promise.all(sources.map(async (source) => source.signature?.()))).join('|')
      const known: Readonly<Record<string, string>> = places
      const news =
        signature === seen ? null : await withLogs(sources, (logs) => readNews(logs, known, search, query.limit))
      seen = signature
      places = news?.places ?? places
      const isOver = isClosed || clock.monotonic() >= until
      if (!isOver && (news === null || (news.lines.length === 0 && news.dropped === 0))) continue
      return {
        ...(news && news.lines.length > 0 && { results: [...news.lines] }),
        ...(news && news.dropped > 0 && { dropped: news.dropped }),
        tail: toTail(places),
      }
    }
  }

  const follow = async (query: LogQuery, tail: string): Promise<LogPage> => {
    const { sources } = await sourcesOf(query)
    // Whoever follows a place that does not tell of news asks again and again.
    if (sources.some(({ signature }) => signature === undefined)) return find(query)
    return tail === '' ? beginTail(query, sources) : goOn(query, sources, tail)
  }

  return {
    search: (query) => {
      if (query.follow !== undefined) return follow(query, query.follow)
      const answer = queue.run(() => find(query), false)
      if (answer) return answer
      throw new Refusal(503, { error: 'Too many searches at once', message: 'Try again in a moment.' })
    },
    close: async () => {
      isClosed = true
      await Promise.all([...programs.values()].map((program) => program.close()))
      programs.clear()
    },
  }
}

interface Asked {
  readonly sources: readonly LogSource[]
  /** Names of log backends that are not asked. */
  readonly notAsked: readonly string[]
}

const invalid = (error: string): Refusal => new Refusal(400, { error, message: 'invalid request' })

const toRefusal = (what: string, error: unknown): Refusal => {
  const message = messageOf(error)
  return new Refusal(502, { error: `${what} cannot be read: ${message}`, message })
}

function namedAs(name: string, source: LogSource): LogSource {
  const guard = async <Value>(work: Promise<Value>): Promise<Value> => {
    try {
      return await work
    } catch (error) {
      throw toRefusal(`The log backend ${name}`, error)
    }
  }
  return {
    ...source,
    open: async () => {
      const logs = await guard(source.open())
      return logs.map((log) => ({
        ...log,
        before: (...asked) => guard(log.before(...asked)),
        after: (...asked) => guard(log.after(...asked)),
        find: (id) => guard(log.find(id)),
      }))
    },
  }
}

async function withLogs<Value>(
  sources: readonly LogSource[],
  work: (logs: readonly Log[]) => Promise<Value>,
): Promise<Value> {
  const opened = await Promise.allSettled(sources.map((source) => source.open()))
  const logs = opened.flatMap((each) => (each.status === 'fulfilled' ? each.value : []))
  try {
    const failed = opened.find((each) => each.status === 'rejected')
    if (failed) throw failed.reason
    // Two sources may lead to one file.
    return await work([...new Map(logs.map((log) => [log.key, log])).values()])
  } finally {
    await Promise.all(logs.map((log) => log.close()))
  }
}

function toAnswer({ lines, next, total }: Found, range: Range): LogPage {
  return {
    ...(total !== undefined && total > 0 && { total }),
    ...(lines.length > 0 && { results: [...lines] }),
    ...(next && { nextPage: toPage({ start: range.start, end: range.end, places: next }) }),
  }
}

interface Range {
  /** Milliseconds since the epoch, both inclusive. */
  readonly start: number
  readonly end: number
}

/** @throws Refusal that names the field */
function readRange({ start, end }: Pick<LogQuery, 'start' | 'end'>, now: number): Range {
  const read = (field: string, text: string): number => {
    const at = tryParseDateMath(text, now)?.getTime()
    if (at !== undefined) return at
    throw invalid(`${field}: not a time: ${text.slice(0, 100)}`)
  }
  const range = { start: read('start', start), end: read('end', end) }
  if (range.start <= range.end) return range
  throw invalid('start: must not be after end')
}

function readPage(text: string | undefined): ReturnType<typeof tryParsePage> {
  if (text === undefined) return null
  const page = tryParsePage(text)
  if (page === null) throw invalid('page: this is no nextPage of an earlier answer')
  return page
}
