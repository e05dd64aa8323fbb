import type { Clock } from '@watchroom/shared/kernel'

// The last results of the checks on screen. Fetched once for what is looked at and continued with what is pushed:
// ten thousand checks must not cost ten thousand histories.

export interface Result {
  /** Milliseconds since the epoch. */
  readonly at: number
  readonly hasPassed: boolean
}

/** Results a strip shows. */
export const MAX_RESULTS = 16

/** Scrolling past must cost nothing: a row has to stay on screen for so long before its results are asked for. */
export const VISIBLE_DELAY_MS = 250

/** Rows of one question. */
const MAX_ASKED = 60

/** Results of a row that was out of sight for this long have gaps, and are asked for anew. */
const STALE_MS = 60_000

/** The time of a run and that of its result may differ by a little; nothing runs twice within this. */
const SAME_RUN_MS = 500

export type LoadResults = (
  checkIds: readonly string[],
  signal: AbortSignal,
) => Promise<ReadonlyMap<string, readonly Result[]>>

export interface ResultStrips {
  /** The rows on screen now. */
  readonly setVisible: (checkIds: readonly string[]) => void
  /** Oldest first; the identical array while nothing came. Undefined until they are known. */
  readonly read: (checkId: string) => readonly Result[] | undefined
  /** A result that was pushed. */
  readonly add: (checkId: string, result: Result) => void
  readonly subscribe: (checkId: string, listener: () => void) => () => void
  readonly close: () => void
}

export function createResultStrips({ load, clock }: { load: LoadResults; clock: Clock }): ResultStrips {
  const strips = new Map<string, readonly Result[]>()
  /** When a row left the screen, by `clock.monotonic`: from then on its strip has gaps. */
  const leftAt = new Map<string, number>()
  /** The newest pushed result of a row whose strip is still on its way. */
  const early = new Map<string, Result>()
  const listeners = new Map<string, Set<() => void>>()
  let visible: ReadonlySet<string> = new Set()
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

  const isDue = (checkId: string): boolean =>
    !strips.has(checkId) || clock.monotonic() - (leftAt.get(checkId) ?? Infinity) > STALE_MS

  const ask = async (): Promise<void> => {
    const due = [...visible].filter(isDue).slice(0, MAX_ASKED)
    if (due.length === 0) return
    abort?.abort()
    const mine = new AbortController()
    abort = mine
    try {
      const loaded = await load(due, mine.signal)
      if (mine.signal.aborted) return
      for (const checkId of due) {
        leftAt.delete(checkId)
        put(checkId, append(loaded.get(checkId) ?? [], early.get(checkId)))
        early.delete(checkId)
      }
    } catch {
      // A decoration: without it every row still says how the check is. The next look asks again.
    }
  }

  return {
    setVisible: (checkIds) => {
      const next = new Set(checkIds)
      for (const checkId of visible) if (!next.has(checkId)) leftAt.set(checkId, clock.monotonic())
      for (const checkId of next) if (!isDue(checkId)) leftAt.delete(checkId)
      visible = next
      cancelTimer()
      cancelTimer = clock.schedule(() => void ask(), VISIBLE_DELAY_MS)
    },
    read: (checkId) => strips.get(checkId),
    add: (checkId, result) => {
      const results = strips.get(checkId)
      if (results === undefined) {
        early.set(checkId, result)
        return
      }
      const next = append(results, result)
      if (next !== results) put(checkId, next)
    },
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
