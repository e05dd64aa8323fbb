import type { Clock } from '@watchroom/shared/kernel'
import {
  type LogLine,
  type LogPage,
  type LogPiece,
  matchesWords,
  MAX_LOG_LINES,
  readLogPage,
  toTailStart,
  toWords,
} from '@watchroom/shared/logs'
import { logTailTopic } from '@watchroom/shared/protocol'
import { parseTimestamp } from '@watchroom/shared/time'
import { z } from 'zod'

import type { BackendClient } from '../../platform/httpClient.ts'
import type { Source, SourceRead } from '../contract.ts'
import { readUpstream } from './upstream.ts'

/** How often a backend is asked that does not wait for lines itself. */
const INTERVAL_MS = 2_000
/** What a page that opens gets at once. */
const FIRST_LINES = 200
/** Of all pieces: what a page that opens later gets. */
const WINDOW_CHARACTERS = 2_000_000
/** Lines that are told apart from those that come again. */
const MAX_KNOWN = 4 * MAX_LOG_LINES

const RowsSchema = z.array(z.unknown())

interface LogTailParams {
  readonly componentId: string
  readonly selector: string
  readonly query: string
}

/** What a log says from now on, read once for all who follow it. */
export function createLogTailSource(deps: {
  backend: BackendClient
  clock: Clock
  params: LogTailParams
  /**
   * Read with someone's own credential, who is shown fewer components than others. The call answers with lines, not with rows that the
   * backend could leave out, and not every backend asks there whether the component is theirs to see.
   */
  isPersonal?: boolean
}): Source<LogPiece> {
  const { backend, clock, params, isPersonal = false } = deps
  const words = toWords(params.query)
  /** Pieces that readers have, oldest first. */
  const pieces: { readonly piece: LogPiece; readonly size: number }[] = []
  /** Lines that were there already, by their ids, and when they were said: a range begins at a moment that has lines. */
  const known = new Map<string, string>()
  let seq = 0
  let newest = ''
  /** What was said before is no news: it was left out, or is not known any more. */
  let closedUntil = ''
  /** Where the backend goes on; null for one that knows no such thing. */
  let tail: string | null = null
  let hasBegun = false

  const ask = async (more: object, signal: AbortSignal): Promise<LogPage> => {
    const { componentId, selector, query } = params
    const body = JSON.stringify({ id: componentId, name: selector, query, ...more })
    return readUpstream(backend, '/logs', signal, async (response) => readLogPage(await response.json()), body)
  }

  const isShown = async (signal: AbortSignal): Promise<boolean> => {
    const path = `/db/${logTailTopic.source(params)}&select=id&limit=1`
    const rows = await readUpstream(backend, path, signal, async (response) => RowsSchema.parse(await response.json()))
    return rows.length > 0
  }

  const forget = (): void => {
    pieces.length = 0
    known.clear()
    newest = ''
    closedUntil = ''
    tail = null
    hasBegun = false
  }

  const isNews = ({ id, timestamp }: LogLine): boolean => {
    if (known.has(id) || isBefore(timestamp, closedUntil)) return false
    known.set(id, timestamp)
    const [[oldest = '', saidAt = ''] = []] = known
    if (known.size > MAX_KNOWN) {
      known.delete(oldest)
      closedUntil = laterOf(closedUntil, saidAt)
    }
    return true
  }

  /** There is more before the first of these, which nobody reads. */
  const closeBefore = ({ results = [] }: LogPage): void => {
    const oldest = results.reduce((first, { timestamp }) => (isBefore(timestamp, first) ? timestamp : first), newest)
    closedUntil = laterOf(closedUntil, oldest)
  }

  /** @returns the piece that these lines make; null when there are none */
  const add = ({ results = [], dropped = 0 }: LogPage, mayBeMore = false): LogPiece | null => {
    const news = results.toReversed().filter(isNews)
    newest = news.reduce((latest, { timestamp }) => laterOf(latest, timestamp), newest)
    // A backend may know nothing of queries.
    const lines = news.filter((line) => matchesWords(line, words))
    if (lines.length === 0 && dropped === 0) return null
    seq += 1
    const piece = { seq, lines, dropped, ...(mayBeMore && { mayBeMore }) }
    pieces.push({ piece, size: lines.reduce((size, line) => size + sizeOf(line), 0) })
    return piece
  }

  /** @returns keys of the pieces that leave */
  const narrow = (): string[] => {
    let characters = pieces.reduce((sum, { size }) => sum + size, 0)
    let count = 0
    while (characters > WINDOW_CHARACTERS && count < pieces.length - 1) {
      characters -= pieces[count]?.size ?? 0
      count += 1
    }
    return pieces.splice(0, count).map(({ piece }) => String(piece.seq))
  }

  const readFirst = async (signal: AbortSignal): Promise<void> => {
    const page = await ask({ limit: FIRST_LINES, follow: '' }, signal)
    tail = page.tail ?? null
    add(page)
    if (page.nextPage !== undefined) closeBefore(page)
  }

  /** Adds the lines of a range. Those that are not in its answer are counted: more came since than an answer holds. */
  const addRange = (page: LogPage, start: string): LogPiece | null => {
    const { results = [], nextPage, total } = page
    if (nextPage === undefined || results.length === 0 || results.some(({ id }) => known.has(id))) return add(page)
    const shown = [...known.values()].filter((timestamp) => !isBefore(timestamp, start)).length
    const dropped = Math.max(1, (total ?? 0) - results.length - shown)
    const piece = add({ ...page, dropped }, total === undefined)
    closeBefore(page)
    return piece
  }

  const readMore = async (signal: AbortSignal): Promise<LogPiece | null> => {
    if (tail === null) {
      const start = laterOf(toTailStart(newest), closedUntil)
      return addRange(await ask({ limit: MAX_LOG_LINES, ...(start && { start }) }, signal), start)
    }
    const page = await ask({ limit: MAX_LOG_LINES, follow: tail }, signal)
    tail = page.tail ?? null
    return add(page)
  }

  return {
    name: 'logTail',
    intervalMs: INTERVAL_MS,
    read: async (signal, cursor): Promise<SourceRead<LogPiece>> => {
      const asOf = clock.now()
      const toFacts = () => ({ asOf, droppedRows: 0, cursor: 'on', mayReadOn: tail !== null })
      if (isPersonal && !(await isShown(signal))) {
        forget()
        return { ...toFacts(), kind: 'all', rows: [] }
      }
      if (cursor === undefined || !hasBegun) {
        // Who comes later is given what the others have.
        if (pieces.length === 0) await readFirst(signal)
        hasBegun = true
        return { ...toFacts(), kind: 'all', rows: pieces.map(({ piece }) => piece) }
      }
      const piece = await readMore(signal)
      const removed = narrow()
      return { ...toFacts(), kind: 'changes', rows: piece ? [piece] : [], removed }
    },
  }
}

/** Of timestamps of any precision; one that cannot be read is before none. */
const isBefore = (timestamp: string, other: string): boolean =>
  (parseTimestamp(timestamp) ?? Infinity) < (parseTimestamp(other) ?? -Infinity)

const laterOf = (timestamp: string, other: string): string =>
  timestamp === '' || isBefore(timestamp, other) ? other : timestamp

const sizeOf = ({ id, message, labels }: LogLine): number =>
  id.length +
  message.length +
  Object.entries(labels).reduce((sum, [name, value]) => sum + name.length + value.length, 60)
