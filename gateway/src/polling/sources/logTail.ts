import type { Clock } from '@watchroom/shared/kernel'
import {
  type LogLine,
  type LogPage,
  type LogPiece,
  matchesWords,
  MAX_LOG_LINES,
  readLogPage,
  toWords,
} from '@watchroom/shared/logs'
import { logTailTopic } from '@watchroom/shared/protocol'
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

export interface LogTailParams {
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
    tail = null
    hasBegun = false
  }

  const isNews = ({ id, timestamp }: LogLine): boolean => {
    if (known.has(id)) return false
    known.set(id, timestamp)
    if (known.size > MAX_KNOWN) known.delete(known.keys().next().value ?? '')
    return true
  }

  /** @returns the piece that these lines make; null when there are none */
  const add = ({ results = [], dropped = 0 }: LogPage): LogPiece | null => {
    const news = results.filter(isNews)
    newest = news.reduce((latest, { timestamp }) => (timestamp > latest ? timestamp : latest), newest)
    // A backend may know nothing of queries.
    const lines = news.filter((line) => matchesWords(line, words)).toReversed()
    if (lines.length === 0 && dropped === 0) return null
    seq += 1
    const piece = { seq, lines, dropped }
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
  }

  /** Lines of a range that are not in its answer: more came since than an answer holds. */
  const countLeftOut = ({ results = [], nextPage, total = 0 }: LogPage): number => {
    if (nextPage === undefined || results.length === 0 || results.some(({ id }) => known.has(id))) return 0
    const shown = [...known.values()].filter((timestamp) => timestamp === newest).length
    return Math.max(1, total - results.length - shown)
  }

  const readMore = async (signal: AbortSignal): Promise<LogPiece | null> => {
    if (tail === null) {
      const page = await ask({ limit: MAX_LOG_LINES, ...(newest && { start: newest }) }, signal)
      return add({ ...page, dropped: countLeftOut(page) })
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

const sizeOf = ({ id, message, labels }: LogLine): number =>
  id.length +
  message.length +
  Object.entries(labels).reduce((sum, [name, value]) => sum + name.length + value.length, 60)
