import { type CheckSummary, toHealth } from '@watchroom/shared/health'
import type { Clock } from '@watchroom/shared/kernel'
import { parseTimestamp } from '@watchroom/shared/time'

// The last results of the checks that were looked at. Fetched once and continued with what is pushed, on screen or not:
// ten thousand checks must not cost ten thousand histories, and a row that comes back must not cost another question.

export interface Result {
  /** Milliseconds since the epoch. */
  readonly at: number
  readonly hasPassed: boolean
}

/** Results a strip shows. */
export const MAX_RESULTS = 16

/** Scrolling past must cost nothing: a row must stay on screen this long before its results are requested. */
export const VISIBLE_DELAY_MS = 250

/** Rows per request. */
export const MAX_ASKED = 60

/** The time of a run and that of its result may differ by a little; nothing runs twice within this. */
const SAME_RUN_MS = 500

export type LoadResults = (
  checkIds: readonly string[],
  signal: AbortSignal,
) => Promise<ReadonlyMap<string, readonly Result[]>>

export type ResultRow = Pick<CheckSummary, 'id' | 'last_runtime' | 'status' | 'unknown_since'>

export interface ResultStrips {
  /** The rows on screen now. */
  readonly setVisible: (checkIds: readonly string[]) => void
  /** All rows of the board, whenever one of them changed: untouched rows are the identical objects. */
  readonly follow: (rows: readonly ResultRow[]) => void
  /** Whether every result is pushed. After a gap, the strips are requested again. */
  readonly setPushed: (isPushed: boolean) => void
  /** Oldest first; the identical array while nothing came. Undefined until they are known. */
  readonly read: (checkId: string) => readonly Result[] | undefined
  readonly subscribe: (checkId: string, listener: () => void) => () => void
  readonly close: () => void
}

export function createResultStrips({ load, clock }: { load: LoadResults; clock: Clock }): ResultStrips {
  const strips = new Map<string, readonly Result[]>()
  /** Strips that may have gaps. */
  const stale = new Set<string>()
  /** The newest pushed result of a row whose strip is still on its way. */
  const early = new Map<string, Result>()
  const listeners = new Map<string, Set<() => void>>()
  let visible: ReadonlySet<string> = new Set()
  let followed: readonly ResultRow[] = []
  let cancelTimer = (): void => undefined
  let abort: AbortController | null = null

  const put = (checkId: string, results: readonly Result[]): void => {
    strips.set(checkId, results.slice(-MAX_RESULTS))
    for (const listener of listeners.get(checkId) ?? []) listener()
  }

  const append = (results: readonly Result[], result: Result | undefined): readonly Result[] => {
    const isNew = result !== undefined && result.at > (results.at(-1)?.at ?? -Infinity) + SAME_RUN_MS
    return isNew ? [...results, result] : results
  }

  const add = (row: ResultRow): void => {
    const results = strips.get(row.id)
    if (results === undefined && !visible.has(row.id)) return
    const at = parseTimestamp(row.last_runtime)
    const health = toHealth(row)
    if (at === null || health === 'unknown') return
    const result = { at, hasPassed: health === 'healthy' }
    if (results === undefined || stale.has(row.id)) early.set(row.id, result)
    if (results === undefined) return
    const next = append(results, result)
    if (next !== results) put(row.id, next)
  }

  const ask = async (): Promise<void> => {
    const due = [...visible].filter((checkId) => !strips.has(checkId) || stale.has(checkId)).slice(0, MAX_ASKED)
    if (due.length === 0) return
    abort?.abort()
    const mine = new AbortController()
    abort = mine
    try {
      const loaded = await load(due, mine.signal)
      if (mine.signal.aborted) return
      for (const checkId of due) {
        stale.delete(checkId)
        put(checkId, append(loaded.get(checkId) ?? [], early.get(checkId)))
        early.delete(checkId)
      }
    } catch {
      // The strips are only a decoration: each row still shows the health. The next look tries again.
      return
    }
    await ask()
  }

  const askSoon = (): void => {
    cancelTimer()
    cancelTimer = clock.schedule(() => void ask(), VISIBLE_DELAY_MS)
  }

  return {
    setVisible: (checkIds) => {
      visible = new Set(checkIds)
      askSoon()
    },
    follow: (rows) => {
      rows.forEach((row, index) => {
        if (row !== followed[index]) add(row)
      })
      followed = rows
    },
    setPushed: (isPushed) => {
      if (isPushed) askSoon()
      else for (const checkId of strips.keys()) stale.add(checkId)
    },
    read: (checkId) => strips.get(checkId),
    subscribe: (checkId, listener) => {
      const ofCheck = listeners.get(checkId) ?? new Set()
      listeners.set(checkId, ofCheck.add(listener))
      return () => {
        ofCheck.delete(listener)
        if (ofCheck.size === 0) listeners.delete(checkId)
      }
    },
    close: () => {
      cancelTimer()
      abort?.abort()
    },
  }
}
