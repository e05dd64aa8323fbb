import type { Clock } from '@watchroom/shared/kernel'
import { type LogLine as ServedLine, type LogPage, type LogPiece, toTailStart } from '@watchroom/shared/logs'

import { createThrottle } from '../../../live/createThrottle.ts'
import { parseMoment } from '../../../ui/formatTime.ts'
import { DRAW_MS } from '../../../ui/log-view/createLogLines.ts'
import { createLineStore, type LineStore } from './createLineStore.ts'

// The logs of one search as a page shows them: the newest lines, older ones on demand, and new ones as they arrive. Lines are identified
// by id, so that it does not matter how often one arrives, and from where.

/** Options besides the search itself. */
export interface FeedAsk {
  readonly start?: string
  readonly end?: string
  readonly page?: string
  readonly around?: string
}

interface LogFeedDeps {
  readonly clock: Clock
  readonly read: (ask: FeedAsk, signal: AbortSignal) => Promise<LogPage>
  /** Start of the range. The tail starts with the newest lines there are, however old. */
  readonly since?: string | undefined
  /** Whether a tail adds lines; if not, nothing that was loaded is dropped. */
  readonly isLive: boolean
}

type MoreLines = 'more' | 'loading' | 'failed' | 'none'

export interface LogFeedState {
  readonly status: 'loading' | 'failed' | 'ready'
  readonly error: unknown
  readonly older: MoreLines
  /** For the surroundings of a line: the answer ends, but the log goes on. `none`: nothing newer yet. */
  readonly newer: MoreLines
  /** Log backends that hold lines of this selector and were not asked. */
  readonly notAsked: readonly string[]
  /** Increases whenever the lines change. */
  readonly revision: number
  /** Index of the line that was first at the beginning. */
  readonly origin: number
  readonly isPaused: boolean
  /** Lines waiting while it is paused. */
  readonly held: number
}

const AT_FIRST: LogFeedState = {
  status: 'loading',
  error: null,
  older: 'none',
  newer: 'more',
  notAsked: [],
  revision: 0,
  origin: 0,
  isPaused: false,
  held: 0,
}

export interface LogFeed {
  readonly lines: LineStore['lines']
  readonly state: () => LogFeedState
  /** Notified of tail lines at most ten times a second, of everything else at once. */
  readonly subscribe: (listener: () => void) => () => void
  readonly open: () => void
  readonly loadOlder: () => void
  readonly loadNewer: () => void
  /** Takes pieces of the live tail; pieces offered before have no effect. */
  readonly offer: (pieces: readonly LogPiece[]) => void
  /** Reads lines that arrived unannounced. */
  readonly catchUp: () => void
  readonly pause: (isPaused: boolean) => void
  /** Says whether the reader is at the end; if so, old lines may be dropped. */
  readonly follow: (isFollowing: boolean) => void
  /** Index of a line; -1 when it is not loaded. */
  readonly indexOf: (id: string) => number
  readonly close: () => void
}

export function createLogFeed({ clock, read, since, isLive }: LogFeedDeps): LogFeed {
  const store = createLineStore(isLive)
  const listeners = new Set<() => void>()
  let abort = new AbortController()
  const toNews = createNews()
  const begin = parseMoment(since)
  let nextPage: string | undefined
  const waiting = new Map<string, ServedLine>()
  let skipped = 0
  let state = AT_FIRST

  const note = (patch: Partial<LogFeedState>): void => {
    state = { ...state, ...patch, revision: store.revision(), origin: store.origin(), held: waiting.size }
  }

  const tell = (): void => {
    for (const listener of listeners) listener()
  }

  const drawing = createThrottle(clock, DRAW_MS, tell)

  const set = (patch: Partial<LogFeedState>): void => {
    note(patch)
    tell()
  }

  /** Lines within the range. Without a start, or without a time, no line is too old. */
  const withinRange = (lines: readonly ServedLine[]): ServedLine[] =>
    lines.filter(({ timestamp }) => !(parseMoment(timestamp) < begin))

  /** New lines: shown, or held back while the log is paused or full. */
  const take = (lines: readonly ServedLine[], dropped: number): void => {
    if (!state.isPaused && !store.isFull()) {
      if (dropped > 0) store.remark(toRemark(dropped))
      store.put(lines)
      return
    }
    skipped += dropped
    for (const line of lines) if (!store.has(line.id)) waiting.set(line.id, line)
    for (const id of waiting.keys()) {
      if (waiting.size <= MAX_HELD) break
      waiting.delete(id)
      skipped += 1
    }
  }

  const release = (): void => {
    if (skipped > 0) store.remark(toRemark(skipped))
    store.put([...waiting.values()])
    waiting.clear()
    skipped = 0
  }

  const loadOlder = async (): Promise<void> => {
    if (state.older === 'loading' || state.older === 'none') return
    set({ older: 'loading' })
    const { signal } = abort
    try {
      // Dropped lines are requested again by time, because the page cursor is before them.
      const first = store.lines.find(({ isRemark }) => !isRemark)?.at
      const isBehind = store.hasLeft() && first
      const page = await readOn(read, isBehind ? { end: first } : { ...(nextPage && { page: nextPage }) }, signal)
      const older = oldestFirst(page).filter(({ id }) => !store.has(id))
      store.put(older)
      nextPage = page.nextPage
      set({ older: older.length > 0 && nextPage !== undefined ? 'more' : 'none' })
    } catch {
      if (!signal.aborted) set({ older: 'failed' })
    }
  }

  const loadNewer = async (): Promise<void> => {
    if (state.newer === 'loading') return
    set({ newer: 'loading' })
    const { signal } = abort
    try {
      const newer = await readNewer(read, store, signal)
      store.put(newer)
      set({ newer: newer.length > 0 ? 'more' : 'none' })
    } catch {
      if (!signal.aborted) set({ newer: 'failed' })
    }
  }

  /** Reads lines that arrived unannounced, or while nobody listened. */
  const catchUp = (): void => {
    const last = store.lines.findLast(({ isRemark }) => !isRemark)?.at
    read({ ...(last && { start: toTailStart(last) }) }, abort.signal).then(
      (page) => {
        const lines = withinRange(oldestFirst(page))
        const isGap = last && page.nextPage !== undefined && !lines.some(({ id }) => store.has(id))
        take(lines, isGap ? UNCOUNTED : 0)
        set({})
      },
      // The tail itself reports a lost connection, and this is tried again after it.
      () => undefined,
    )
  }

  return {
    lines: store.lines,
    state: () => state,
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    open: () => {
      abort = new AbortController()
      const { signal } = abort
      set({ status: 'loading', error: null })
      readOn(read, {}, signal).then(
        (page) => {
          store.put(oldestFirst(page))
          store.begin()
          nextPage = page.nextPage
          set({ status: 'ready', older: nextPage === undefined ? 'none' : 'more', notAsked: page.notAsked ?? [] })
        },
        (error: unknown) => {
          if (!signal.aborted) set({ status: 'failed', error })
        },
      )
    },
    loadOlder: () => void loadOlder(),
    loadNewer: () => void loadNewer(),
    offer: (pieces) => {
      const news = toNews(pieces)
      if (news.pieces.length === 0) return
      if (news.isGap) catchUp()
      for (const { lines, dropped, mayBeMore } of news.pieces) take(withinRange(lines), mayBeMore ? UNCOUNTED : dropped)
      note(store.hasLeft() && state.older === 'none' ? { older: 'more' } : {})
      drawing.ask()
    },
    catchUp,
    pause: (isPaused) => {
      if (!isPaused) release()
      set({ isPaused })
    },
    follow: (isFollowing) => {
      store.follow(isFollowing)
      if (isFollowing && !state.isPaused) release()
      set({})
    },
    indexOf: store.indexOf,
    close: () => {
      drawing.close()
      abort.abort()
    },
  }
}

/** An empty page with a cursor is a search that paused: continues until there are lines, or the end. */
async function readOn(read: LogFeedDeps['read'], ask: FeedAsk, signal: AbortSignal): Promise<LogPage> {
  let page = await read(ask, signal)
  while (page.nextPage !== undefined && (page.results ?? []).length === 0) {
    signal.throwIfAborted()
    page = await read({ page: page.nextPage }, signal)
  }
  return page
}

/** Lines around the newest loaded one, if newer. */
async function readNewer(read: LogFeedDeps['read'], store: LineStore, signal: AbortSignal): Promise<ServedLine[]> {
  const last = store.lines.findLast(({ isRemark }) => !isRemark)?.id
  if (last === undefined) return []
  const { results = [] } = await read({ around: last }, signal)
  const at = results.findIndex(({ id }) => id === last)
  return results
    .slice(0, Math.max(0, at))
    .filter(({ id }) => !store.has(id))
    .toReversed()
}

const oldestFirst = ({ results = [] }: LogPage): ServedLine[] => results.toReversed()

/** Maximum number of held-back lines: newer ones push out older ones. */
const MAX_HELD = 5_000

interface News {
  readonly pieces: readonly LogPiece[]
  /** Lines before these are missing: after a long time busy, a page gets only the newest. */
  readonly isGap: boolean
}

/** Filters out pieces offered before. */
function createNews(): (pieces: readonly LogPiece[]) => News {
  const taken = new Set<string>()
  let lastSeq: number | null = null
  return (pieces) => {
    const fresh = pieces.filter((piece) => !taken.has(nameOf(piece)))
    if (fresh.length === 0) return { pieces: fresh, isGap: false }
    const isGap = lastSeq !== null && fresh.length === pieces.length && fresh[0]?.seq !== lastSeq + 1
    lastSeq = pieces.at(-1)?.seq ?? null
    taken.clear()
    for (const piece of pieces) taken.add(nameOf(piece))
    return { pieces: fresh, isGap }
  }
}

/** The numbers of pieces begin anew with each tail. */
const nameOf = ({ seq, lines, dropped }: LogPiece): string => `${seq} ${lines[0]?.id ?? ''} ${dropped}`

/** An unknown number of missing lines. */
const UNCOUNTED = Infinity

const toRemark = (count: number): string =>
  count === UNCOUNTED
    ? 'Lines in between are skipped here. Search to find them'
    : `${count.toLocaleString()} ${count === 1 ? 'line was' : 'lines were'} skipped: a search finds them`
