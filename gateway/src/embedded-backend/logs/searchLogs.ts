// One answer out of several logs: newest first, however the lines are spread over them.
import { maskCredentials } from '@watchroom/shared/health/check-types'
import { ownValue } from '@watchroom/shared/kernel'
import type { LogLine } from '@watchroom/shared/logs'

import type { PageCursor } from './cursor.ts'
import type { FoundLine, Log, LogSearch, Stretch } from './log.ts'

export interface Found {
  readonly lines: readonly LogLine[]
  /** Null when nothing is left. */
  readonly next: PageCursor['places'] | null
  readonly total: number | undefined
}

interface Reading {
  readonly log: Log
  readonly stretch: Stretch
  taken: number
}

/** Unique among all logs of a selector. */
const withKey = ({ key }: Log, { line }: FoundLine): LogLine => ({
  ...line,
  id: `${key}.${line.id}`,
  // Programs write addresses with a password in them, in whatever field.
  message: maskCredentials(line.message),
  labels: maskValues(line.labels),
})

const maskValues = (labels: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(labels).map(([name, value]) => [name, maskCredentials(value)]))

/** @param places where to go on, of an earlier page */
export async function searchLogs(
  logs: readonly Log[],
  places: PageCursor['places'],
  search: LogSearch,
  limit: number,
): Promise<Found> {
  const done = new Map<string, string | null>(Object.entries(places))
  const open = logs
    .filter(({ key, newestAt }) => done.get(key) !== null && newestAt >= search.start)
    .toSorted((a, b) => b.newestAt - a.newestAt)
  const readings: Reading[] = []
  for (const [index, log] of open.entries()) {
    const stretch = await log.before(done.get(log.key) ?? null, search, limit)
    readings.push({ log, stretch, taken: 0 })
    if (isEnough(readings, limit, open[index + 1]?.newestAt ?? -Infinity)) break
  }
  const lines = take(readings, limit)
  const next = { ...places }
  for (const { log, stretch, taken } of readings) {
    if (taken === stretch.lines.length) next[log.key] = stretch.next
    else if (taken > 0) next[log.key] = stretch.lines[taken - 1]?.place ?? null
  }
  const isThrough = readings.length === open.length && open.every(({ key }) => next[key] === null)
  const totals = readings.flatMap(({ stretch }) => (stretch.total === undefined ? [] : [stretch.total]))
  return {
    lines,
    next: isThrough ? null : next,
    total: totals.length > 0 && totals.length === open.length ? totals.reduce((sum, each) => sum + each, 0) : undefined,
  }
}

/** What the others hold is older than the lines that are there. */
function isEnough(readings: readonly Reading[], limit: number, nextNewestAt: number): boolean {
  const moments = readings.flatMap(({ stretch }) => stretch.lines.map(({ at }) => at)).toSorted((a, b) => b - a)
  const last = moments[limit - 1]
  return last !== undefined && last >= nextNewestAt
}

/**
 * The newest of what is at the front of each, again and again: the order within a log stays. A log that gave a part of its lines may
 * have more that are as new as the last of these: what is older in others waits for the next page.
 */
function take(readings: readonly Reading[], limit: number): LogLine[] {
  const lines: LogLine[] = []
  let oldest = -Infinity
  while (lines.length < limit) {
    let newest: Reading | null = null
    for (const reading of readings) {
      const { stretch, taken } = reading
      if (taken === stretch.lines.length && stretch.next !== null) {
        oldest = Math.max(oldest, stretch.lines.at(-1)?.at ?? -Infinity)
      }
      const head = stretch.lines[taken]
      const best = newest?.stretch.lines[newest.taken]
      if (head && (!best || head.at > best.at)) newest = reading
    }
    const head = newest?.stretch.lines[newest.taken]
    if (!newest || !head || head.at < oldest) break
    lines.push(withKey(newest.log, head))
    newest.taken += 1
  }
  return lines
}

/** What stands around a line, newest first: half of the lines are newer. Null when it is gone. */
export async function findAround(
  logs: readonly Log[],
  id: string,
  search: LogSearch,
  limit: number,
): Promise<Found | null> {
  const dot = id.indexOf('.')
  const home = logs.find(({ key }) => key === id.slice(0, dot))
  const found = await home?.find(id.slice(dot + 1))
  if (!home || !found) return null
  const half = Math.floor(limit / 2)
  const after = await Promise.all(
    logs.map(async (log) => {
      const from = log === home ? { id: found.line.id } : { at: found.at + 1 }
      return { log, lines: await log.after(from, half) }
    }),
  )
  const following = after
    .flatMap(({ log, lines }) => lines.map((placed) => ({ log, placed })))
    .toSorted((a, b) => a.placed.at - b.placed.at)
  // Lines of one moment stay together: whoever goes on around the last one gets what is later.
  const lastAt = following[half - 1]?.placed.at
  const newer = following
    .filter(({ placed }, index) => index < half || placed.at === lastAt)
    .toReversed()
    .map(({ log, placed }) => withKey(log, placed))
  const older = await searchLogs(
    logs,
    { [home.key]: found.place },
    { ...search, start: 0, end: found.at, words: [], labels: {} },
    Math.max(1, limit - newer.length - 1),
  )
  return { lines: [...newer, withKey(home, found), ...older.lines], next: older.next, total: undefined }
}

export interface Followed {
  /** Newest first. */
  readonly lines: readonly LogLine[]
  readonly places: Readonly<Record<string, string>>
  readonly dropped: number
}

/** What came since in every log. One that was not there before is new from its beginning. */
export async function readNews(
  logs: readonly Log[],
  places: Readonly<Record<string, string>>,
  search: LogSearch,
  limit: number,
): Promise<Followed> {
  const all = await Promise.all(
    logs.map(async (log) => {
      const news = await log.follow?.news(ownValue(places, log.key) ?? null, search, limit)
      return news && { log, news }
    }),
  )
  const told = all.filter((each) => each !== undefined)
  const lines = told
    .flatMap(({ log, news }) => news.lines.map((placed) => ({ at: placed.at, line: withKey(log, placed) })))
    .toSorted((a, b) => b.at - a.at)
  return {
    lines: lines.slice(0, limit).map(({ line }) => line),
    places: Object.fromEntries(told.map(({ log, news }) => [log.key, news.place])),
    dropped: told.reduce((sum, { news }) => sum + news.dropped, 0) + Math.max(0, lines.length - limit),
  }
}
