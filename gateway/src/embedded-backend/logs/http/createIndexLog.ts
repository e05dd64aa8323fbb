// Documents of Elasticsearch or OpenSearch as a log: `POST /{index}/_search`, of which both understand the same.
import type { IndexBackend } from '@watchroom/shared/logs'
import { parseTimestamp } from '@watchroom/shared/time'
import { z } from 'zod'

import type { FoundLine, Log } from '../log.ts'
import { AnswerTooLong, askServer, BeyondBound, type ServerDeps, textOf } from './askServer.ts'
import { tryParsePlace, withPlaces } from './place.ts'

const HitSchema = z.object({ _id: z.string(), _source: z.record(z.string(), z.unknown()).catch({}) })
const AnswerSchema = z.object({
  hits: z.object({
    total: z.union([z.number(), z.object({ value: z.number() }).transform(({ value }) => value)]).optional(),
    hits: z.array(z.unknown()),
  }),
})

/** What a date can be. */
const MAX_MOMENT = 8.64e15
/** Below this an answer that is too long is given up. */
const FEWEST = 10
/** How an index refuses a `size` beyond its own. */
const BEYOND_WINDOW = /result window is too large(?:.*?less than or equal to: \[(\d+)\])?/i
/** Of what is asked for to have a moment whole, and how often. */
const MOMENT_PAGE = 500
const MOMENT_PAGES = 10

export interface IndexLogOptions {
  readonly key: string
  readonly backend: IndexBackend
  /** Each document has all of them. */
  readonly filter: Readonly<Record<string, string>>
}

type Order = 'asc' | 'desc'

export function createIndexLog(deps: ServerDeps, { key, backend, filter }: IndexLogOptions): Log {
  const timeField = backend.fields?.timestamp ?? '@timestamp'
  const messageField = backend.fields?.message ?? 'message'
  const exclusions = new Set([timeField, messageField, ...(backend.fields?.exclusions ?? [])])
  const apiKey = textOf(backend.api_key)

  const toFound = (raw: unknown): FoundLine[] => {
    const hit = HitSchema.safeParse(raw)
    if (!hit.success) return []
    const { _id, _source: source } = hit.data
    const time = valueAt(source, timeField)
    const at = typeof time === 'number' ? Math.floor(time) : parseTimestamp(typeof time === 'string' ? time : null)
    if (at === null || Math.abs(at) > MAX_MOMENT) return []
    const message = valueAt(source, messageField)
    const labels = { ...toLabels(source, '', exclusions), ...backend.labels }
    const line = {
      id: `${at}~${_id}`,
      timestamp: new Date(at).toISOString(),
      message: typeof message === 'string' ? message : JSON.stringify(source),
      labels,
    }
    return [{ line, at }]
  }

  /** Known once it refused more. */
  let most = Infinity

  const ask = async (
    query: object,
    order: Order,
    wanted: number,
    isCounted = false,
  ): Promise<{ lines: FoundLine[]; total?: number | undefined; isFull: boolean }> => {
    const size = Math.min(wanted, most)
    const sort = [{ [timeField]: { order, unmapped_type: 'date' } }]
    // Else they count up to 10,000.
    const body = JSON.stringify({ size, sort, query, ...(isCounted && { track_total_hits: true }) })
    try {
      const answer = await askServer(deps, backend, {
        method: 'POST',
        path: `/${encodeURIComponent(backend.index)}/_search`,
        // A search may spell what a connection fills in.
        body: body.replaceAll('$(', String.raw`\u0024(`),
        ...(apiKey !== undefined && { headers: [{ name: 'authorization', value: `ApiKey ${apiKey}` }] }),
        toRefusal: tryParseBeyondWindow,
      })
      const { hits } = AnswerSchema.parse(answer)
      return { lines: hits.hits.flatMap(toFound), total: hits.total, isFull: hits.hits.length === size }
    } catch (error) {
      if (error instanceof AnswerTooLong && size > FEWEST) return ask(query, order, Math.ceil(size / 2), isCounted)
      // Without a smaller number it would be asked for ever.
      if (!(error instanceof BeyondBound) || error.most === null || error.most >= size) throw error
      most = error.most
      return ask(query, order, wanted, isCounted)
    }
  }

  const toQuery = (
    range: object,
    words: readonly string[],
    wanted: Readonly<Record<string, string>>,
    without: readonly string[],
  ) => ({
    bool: {
      filter: [
        { range: { [timeField]: { ...range, format: 'strict_date_optional_time' } } },
        ...toPhrases(wanted),
        ...(words.length > 0 ? [{ match: { [messageField]: { query: words.join(' '), operator: 'and' } } }] : []),
      ],
      ...(without.length > 0 && { must_not: [{ ids: { values: without } }] }),
    },
  })

  /** What of a moment there is besides. */
  const readMoment = async (at: number, known: readonly FoundLine[]): Promise<FoundLine[]> => {
    const more: FoundLine[] = []
    for (let pages = 0; pages < MOMENT_PAGES; pages += 1) {
      const query = toQuery({ gte: toTime(at), lt: toTime(at + 1) }, [], filter, [...known, ...more].map(idOf))
      const { lines, isFull } = await ask(query, 'asc', MOMENT_PAGE)
      more.push(...lines)
      if (!isFull || lines.length === 0) break
    }
    return more
  }

  return {
    key,
    newestAt: Infinity,
    before: async (place, search, limit) => {
      const from = place === null ? null : tryParsePlace(place)
      if (place !== null && from === null) return { lines: [], next: null }
      const end = from ? Math.min(Number(from.at), search.end) : search.end
      // A clock may be finer than a place: the whole millisecond.
      const range = { gte: toTime(search.start), lt: toTime(end + 1) }
      const query = toQuery(range, search.words, { ...filter, ...search.labels }, from?.ids ?? [])
      const { lines, total, isFull } = await ask(query, 'desc', limit, !from)
      const placed = withPlaces(lines, from, toName)
      return {
        lines: placed,
        next: isFull ? (placed.at(-1)?.place ?? null) : null,
        ...(!from && total !== undefined && { total }),
      }
    },
    find: async (id) => {
      const filters = [{ ids: { values: [toOwnId(id)] } }, ...toPhrases(filter)]
      const { lines } = await ask({ bool: { filter: filters } }, 'desc', 1)
      return withPlaces(lines, null, toName)[0] ?? null
    },
    after: async (from, limit) => {
      // What has a line's own moment counts as older: no order is told there.
      const since = 'at' in from ? from.at : Number(from.id.split('~', 1)[0]) + 1
      const { lines, isFull } = await ask(toQuery({ gte: toTime(since) }, [], filter, []), 'asc', limit)
      const last = lines.at(-1)?.at
      if (!isFull || last === undefined) return lines
      const known = lines.filter(({ at }) => at === last)
      return [...lines, ...(await readMoment(last, known))]
    },
    close: () => Promise.resolve(),
  }
}

/** Null for another refusal. */
function tryParseBeyondWindow(words: string): BeyondBound | null {
  const [refusal, most] = BEYOND_WINDOW.exec(words) ?? []
  if (refusal === undefined) return null
  const message = 'it gives fewer documents at once (index.max_result_window) and does not say how many'
  return new BeyondBound('lines', Number(most) || null, message)
}

const toOwnId = (id: string): string => id.slice(id.indexOf('~') + 1)
const idOf = ({ line }: FoundLine): string => toOwnId(line.id)
const toName = (found: FoundLine) => ({ at: String(found.at), id: idOf(found) })

const toPhrases = (wanted: Readonly<Record<string, string>>): object[] =>
  Object.entries(wanted).map(([name, value]) => ({ match_phrase: { [name]: value } }))

const toTime = (at: number): string => new Date(Math.min(at, MAX_MOMENT)).toISOString()

/** A field's name may be one key with dots in it, or several keys. */
function valueAt(source: Readonly<Record<string, unknown>>, name: string): unknown {
  if (Object.hasOwn(source, name)) return source[name]
  const [first = '', ...rest] = name.split('.')
  const next = Object.hasOwn(source, first) ? source[first] : undefined
  return rest.length > 0 && typeof next === 'object' && next !== null
    ? valueAt(next as Record<string, unknown>, rest.join('.'))
    : undefined
}

const MAX_LABELS = 100

function toLabels(source: object, prefix: string, exclusions: ReadonlySet<string>): Record<string, string> {
  const labels = Object.entries(source).flatMap(([key, value]: [string, unknown]): [string, string][] => {
    const name = prefix + key
    if (exclusions.has(name) || value === null || value === undefined) return []
    if (typeof value === 'object' && !Array.isArray(value))
      return Object.entries(toLabels(value, `${name}.`, exclusions))
    return [[name, typeof value === 'string' ? value : JSON.stringify(value)]]
  })
  return Object.fromEntries(labels.slice(0, MAX_LABELS))
}
