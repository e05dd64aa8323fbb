import { type Clock, createTimer, messageOf } from '@watchroom/shared/kernel'
import { deepEqual, type TopicRow } from '@watchroom/shared/protocol'

import type { TopicError, TopicOptions } from './contract.ts'

// REST while the socket is down (first specification, section 4).

/** Without a socket for this long, the rows are polled. */
const POLL_AFTER_MS = 5_000
const DEFAULT_REFRESH_MS = 30_000

export interface PolledRows<Row> {
  readonly rows: ReadonlyMap<string, Row>
  readonly asOf: number
}

export interface TopicPoll<Row extends TopicRow> {
  /** The rows read since the socket went down. */
  readonly rows: () => PolledRows<Row> | null
  readonly error: () => TopicError | null
  /** Whether polling is possible now. */
  readonly isAble: () => boolean
  readonly setOptions: (options: TopicOptions<Row>) => void
  /** The socket is down: polls from now on. A poll that is planned or running goes on. */
  readonly start: () => void
  /** Polls now. */
  readonly now: () => void
  /** Ends polling; what was read stays until `forget`. */
  readonly stop: () => void
  readonly forget: () => void
}

export interface TopicPollDeps<Row extends TopicRow> {
  readonly clock: Clock
  readonly random: () => number
  readonly serverNow: () => number
  /** False while there is a socket, or when the person may not see the rows. */
  readonly mayPoll: () => boolean
  readonly downMs: () => number | null
  readonly toMap: (rows: readonly Row[]) => Map<string, Row>
  /** Rows on screen: what identity is kept against. */
  readonly shown: () => ReadonlyMap<string, Row>
  readonly onChange: () => void
}

export function createTopicPoll<Row extends TopicRow>(deps: TopicPollDeps<Row>): TopicPoll<Row> {
  const timer = createTimer(deps.clock)
  let options: TopicOptions<Row> = {}
  let polled: PolledRows<Row> | null = null
  let error: TopicError | null = null
  let abort: AbortController | null = null

  const poll = async (): Promise<void> => {
    const { fetchRows } = options
    if (!fetchRows || !deps.mayPoll()) return
    // A newer request replaces one that is still running.
    abort?.abort()
    const mine = new AbortController()
    abort = mine
    const askedAt = deps.serverNow()
    try {
      const rows = deps.toMap(await fetchRows(mine.signal))
      if (mine.signal.aborted || !deps.mayPoll()) return
      const shown = deps.shown()
      for (const [key, row] of rows) {
        const before = shown.get(key)
        if (before && deepEqual(before, row)) rows.set(key, before)
      }
      polled = { rows, asOf: askedAt }
      error = null
    } catch (cause) {
      // Polling is the fallback: its failure is shown beside the old rows, and the next round tries again.
      if (mine.signal.aborted) return
      error = { code: 'LIVE_POLL_FAILED', message: messageOf(cause) }
    } finally {
      if (abort === mine) abort = null
    }
    deps.onChange()
  }

  const schedule = (): void => {
    timer.clear()
    const downMs = deps.downMs()
    const refreshMs = options.refreshMs === undefined ? DEFAULT_REFRESH_MS : options.refreshMs
    if (downMs === null || !deps.mayPoll() || !options.fetchRows || refreshMs === null) return
    const isFirst = polled === null && error === null
    // A tenth of jitter keeps the tabs of a room apart.
    const waitMs = isFirst ? Math.max(0, POLL_AFTER_MS - downMs) : refreshMs * (1 + deps.random() / 10)
    timer.set(now, waitMs)
  }

  const now = (): void => void poll().then(schedule)

  return {
    rows: () => polled,
    error: () => error,
    isAble: () => options.fetchRows !== undefined && deps.mayPoll(),
    setOptions: (next) => {
      // Screens may pass a new function with every render; only its presence and the rate change the plan.
      const isSame = !next.fetchRows === !options.fetchRows && next.refreshMs === options.refreshMs
      options = next
      if (!isSame) schedule()
    },
    // A failed attempt to reconnect must not postpone a poll that is planned already.
    start: () => {
      if (!timer.isSet() && !abort) schedule()
    },
    now,
    stop: () => {
      timer.clear()
      abort?.abort()
      abort = null
    },
    forget: () => {
      polled = null
      error = null
    },
  }
}
