// Streams of Loki as a log: `GET /loki/api/v1/query_range`. Its moments are nanoseconds, which are texts here.
import { createHash } from 'node:crypto'

import { type LokiBackend, MAX_LOG_LINES } from '@watchroom/shared/logs'
import { tryParseDuration } from '@watchroom/shared/time'
import { z } from 'zod'

import type { FoundLine, Log } from '../log.ts'
import { AnswerTooLong, askServer, BeyondBound, type ServerDeps } from './askServer.ts'
import { toPlaceBefore, tryParsePlace, withPlaces } from './place.ts'

const AnswerSchema = z.object({
  data: z.object({
    resultType: z.literal('streams'),
    result: z.array(
      z.object({
        stream: z.record(z.string(), z.string()),
        values: z.array(z.tuple([z.string().regex(/^\d{1,19}$/), z.string()], z.unknown())),
      }),
    ),
  }),
})

const NANOSECONDS = 1_000_000n
/** Below this an answer that is too long is given up. */
const FEWEST = 10
/** How Loki refuses a `limit` beyond its own; in an answer of JSON `>` is escaped. */
const BEYOND_LIMIT = /max entries limit per query exceeded(?:.*\(\d+ (?:>|\\u003e) (\d+)\))?/i
/** How Loki refuses a range beyond its own. */
const BEYOND_RANGE = /query time range exceeds the limit(?:.*limit: ([\w.]+))?/i
/** Loki searches no longer range at once, unless it is set to less; a longer one is stepped through, a year for each page. */
const MAX_RANGE_NS = 30n * 86_400_000n * NANOSECONDS
const MAX_RANGES = 13
/** Lines of one answer, where Loki has its usual limits. */
const MAX_ENTRIES = 5_000

export interface LokiLogOptions {
  readonly key: string
  readonly backend: LokiBackend
  /** Each line has all of them. */
  readonly filter: Readonly<Record<string, string>>
}

interface Question {
  readonly direction: 'backward' | 'forward'
  /** Inclusive. */
  readonly start: bigint
  /** Exclusive. */
  readonly end: bigint
  readonly words: readonly string[]
  readonly labels: Readonly<Record<string, string>>
  readonly limit: number
}

interface LokiLine extends FoundLine {
  readonly moment: bigint
}

interface Found {
  readonly lines: readonly LokiLine[]
  /** As many as it was asked for. */
  readonly isFull: boolean
  /** What was searched: of a range that is longer than Loki's, the part that comes first. */
  readonly start: bigint
  readonly end: bigint
}

export function createLokiLog(deps: ServerDeps, { key, backend, filter }: LokiLogOptions): Log {
  /** Known once it refused more. */
  let most = Infinity
  let longest = MAX_RANGE_NS

  const ask = async (question: Question): Promise<Found> => {
    const { direction, words, labels } = question
    const isBackward = direction === 'backward'
    const isWhole = question.end - question.start <= longest
    const start = isWhole || !isBackward ? question.start : question.end - longest
    const end = isWhole || isBackward ? question.end : question.start + longest
    const limit = Math.min(question.limit, most)
    const query = toLogQl({ ...backend.stream, ...filter, ...labels }, words)
    const parameters = { query, start: String(start), end: String(end), limit: String(limit), direction }
    try {
      const answer = await askServer(deps, backend, {
        method: 'GET',
        path: `/loki/api/v1/query_range?${new URLSearchParams(parameters).toString()}`,
        ...(backend.tenant !== undefined && { headers: [{ name: 'x-scope-orgid', value: backend.tenant }] }),
        toRefusal: tryParseRefusal,
      })
      const all = toLines(AnswerSchema.parse(answer).data.result, backend.labels ?? {})
      const lines = all.filter(({ moment }) => moment >= start && moment < end)
      const sign = isBackward ? -1 : 1
      lines.sort((a, b) => sign * (a.moment < b.moment ? -1 : a.moment > b.moment ? 1 : 0))
      return { lines, isFull: all.length >= limit, start, end }
    } catch (error) {
      if (error instanceof AnswerTooLong && limit > FEWEST) return ask({ ...question, limit: Math.ceil(limit / 2) })
      // Without a smaller number it would be asked for ever.
      if (!(error instanceof BeyondBound) || error.most === null) throw error
      if (error.of === 'lines' && error.most < limit) most = error.most
      else if (error.of === 'time' && toNanoseconds(error.most) < end - start) longest = toNanoseconds(error.most)
      else throw error
      return ask(question)
    }
  }

  /** @param isEnough whether a part will do */
  const readMoment = async (
    moment: bigint,
    direction: Question['direction'],
    isEnough = (_lines: readonly LokiLine[]) => false,
  ): Promise<readonly LokiLine[]> => {
    const question = { direction, start: moment, end: moment + 1n, words: [], labels: {} }
    const { lines } = await ask({ ...question, limit: MAX_LOG_LINES })
    // What was cut for its length would be cut again.
    if (lines.length < MAX_LOG_LINES || isEnough(lines)) return lines
    return (await ask({ ...question, limit: MAX_ENTRIES })).lines
  }

  return {
    key,
    newestAt: Infinity,
    before: async (place, { start, end, words, labels, budget }, limit) => {
      const from = place === null ? null : tryParsePlace(place)
      if (place !== null && from === null) return { lines: [], next: null }
      const oldest = toNanoseconds(start)
      // Those of the last moment come again, and are left out here.
      let until = from ? BigInt(from.at) + 1n : toNanoseconds(end) + NANOSECONDS
      let known = new Set(from?.ids)
      const found: LokiLine[] = []
      for (let ranges = 1; ; ranges += 1) {
        const wanted = limit - found.length
        const {
          lines,
          isFull,
          start: since,
        } = await ask({
          direction: 'backward',
          start: oldest,
          end: until,
          words,
          labels,
          limit: wanted + known.size,
        })
        found.push(...lines.filter(({ line }) => !known.has(line.id)).slice(0, wanted))
        if (isFull || since === oldest || found.length === limit) {
          const placed = withPlaces(found, from, toName)
          const isOver = !isFull && since === oldest
          const last = placed.at(-1)?.place ?? (known.size > 0 ? toPlaceBefore(until - 1n) : null)
          return { lines: placed, next: isOver ? null : last }
        }
        if (ranges === MAX_RANGES || deps.clock.monotonic() >= budget.endsAt) {
          return { lines: withPlaces(found, from, toName), next: toPlaceBefore(since) }
        }
        until = since
        known = new Set()
      }
    },
    find: async (id) => {
      const moment = tryParseMoment(id)
      if (moment === null) return null
      const isIt = ({ line }: LokiLine): boolean => line.id === id
      // Of a moment that is longer than an answer, searches have seen the end and what came after a line the beginning.
      for (const direction of ['backward', 'forward'] as const) {
        const lines = await readMoment(moment, direction, (some) => some.some(isIt))
        const [found] = withPlaces(lines.filter(isIt), null, toName)
        if (found) return found
      }
      return null
    },
    after: async (from, limit) => {
      const moment = 'at' in from ? toNanoseconds(from.at) : tryParseMoment(from.id)
      if (moment === null) return []
      // What has a line's own moment counts as older: no order is told there.
      let start = 'at' in from ? moment : moment + 1n
      const end = start + MAX_RANGE_NS
      const now = toNanoseconds(deps.clock.now())
      const found: LokiLine[] = []
      for (let ranges = 1; ranges <= MAX_RANGES && start < end; ranges += 1) {
        const wanted = limit - found.length
        const read = await ask({ direction: 'forward', start, end, words: [], labels: {}, limit: wanted })
        found.push(...read.lines)
        const last = found.at(-1)?.moment
        if (read.isFull && last !== undefined)
          return [...found.filter((line) => line.moment < last), ...(await readMoment(last, 'forward'))]
        if (read.end > now) break
        start = read.end
      }
      return found
    },
    close: () => Promise.resolve(),
  }
}

/** Everything in it is quoted: what someone searches for is no expression of theirs. */
function toLogQl(stream: Readonly<Record<string, string>>, words: readonly string[]): string {
  const matchers = Object.entries(stream).map(
    ([name, value]) => `${name.replaceAll(/\W/g, '_')}=${JSON.stringify(value)}`,
  )
  if (matchers.length === 0) throw new Error('stream: Loki needs at least one label')
  const filters = words.map(
    (word) => ` |~ ${JSON.stringify(`(?i)${word.replaceAll(/[^\p{L}\p{N}\s]/gu, String.raw`\$&`)}`)}`,
  )
  return `{${matchers.join(', ')}}${filters.join('')}`
}

/** Null for a refusal of something else than too much at once. */
function tryParseRefusal(words: string): BeyondBound | null {
  const [beyondLimit, most] = BEYOND_LIMIT.exec(words) ?? []
  if (beyondLimit !== undefined) {
    const message = 'it gives fewer lines at once (max_entries_limit_per_query) and does not say how many'
    return new BeyondBound('lines', Number(most) || null, message)
  }
  const [beyondRange, longest = ''] = BEYOND_RANGE.exec(words) ?? []
  if (beyondRange === undefined) return null
  const message = 'it searches a shorter time at once (max_query_length) and does not say how long'
  return new BeyondBound('time', Math.floor(tryParseDuration(longest) ?? 0) || null, message)
}

type Streams = z.infer<typeof AnswerSchema>['data']['result']

function toLines(streams: Streams, own: Readonly<Record<string, string>>): LokiLine[] {
  return streams.flatMap(({ stream, values }) => {
    const labels = { ...stream, ...own }
    const name = JSON.stringify(Object.entries(stream).toSorted(([a], [b]) => (a < b ? -1 : 1)))
    return values.map(([nanoseconds, message]) => {
      const moment = BigInt(nanoseconds)
      const at = Number(moment / NANOSECONDS)
      const content = createHash('sha256').update(name).update(message).digest('hex').slice(0, 16)
      const line = { id: `${nanoseconds}~${content}`, timestamp: new Date(at).toISOString(), message, labels }
      return { line, at, moment }
    })
  })
}

const toName = ({ moment, line }: LokiLine) => ({ at: String(moment), id: line.id })

const toNanoseconds = (at: number): bigint => BigInt(Math.round(at)) * NANOSECONDS

function tryParseMoment(id: string): bigint | null {
  const [text = ''] = id.split('~', 1)
  return /^\d{1,19}$/.test(text) ? BigInt(text) : null
}
