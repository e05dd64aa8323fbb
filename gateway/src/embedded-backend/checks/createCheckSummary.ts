// The health board in memory: per check its definition, its state and its runs of the last hour, and the finished JSON of
// its row. Knows neither database nor HTTP.
//
// Memory, measured with tests/bench/summary.ts: a check that runs each 30 s needs about 4.6 KB (1.6 KB of runs, 1.6 KB of
// objects, 1.4 KB of JSON), 10,000 of them 45 MB; one more run in the hour costs 12 bytes, up to 24 while its ring grows.
import { toBoundedText } from '@watchroom/shared/health'
import { type Clock, ownValue } from '@watchroom/shared/kernel'

import { RunWindow, type WindowStats } from './runWindow.ts'

/** What a row says about a check apart from its runs. Times are milliseconds since the epoch. */
export interface SummaryCheck {
  readonly id: string
  readonly canaryId: string
  readonly canaryName: string
  readonly canaryNamespace: string
  readonly name: string
  readonly namespace: string | null
  readonly type: string
  readonly severity: string | null
  readonly description: string | null
  readonly icon: string | null
  readonly owner: string | null
  /** What the check talks to; never with a password. */
  readonly endpoint: string | null
  readonly agentId: string
  /** Labels of the canary, overridden by those of the check. */
  readonly labels: Readonly<Record<string, string>>
  readonly createdAt: number | null
  readonly silencedAt: number | null
}

/** What the last run left in the row of the check. */
export interface SummaryState {
  readonly status: string | null
  readonly lastRuntimeAt: number | null
  readonly nextRuntimeAt: number | null
  readonly lastTransitionAt: number | null
  readonly updatedAt: number | null
}

export interface SummaryRun {
  /** Start of the run. */
  readonly startedAt: number
  readonly durationMs: number
  readonly passed: boolean
  /** Why it did not pass. */
  readonly error: string | null
}

export interface SummaryFilter {
  checkId?: string | undefined
  /** All of them must be among a check's labels. */
  labels?: Readonly<Record<string, string>> | undefined
  sortBy?: 'name' | '-name' | undefined
}

export interface CheckSummaryStore {
  /** Adds a check or replaces its definition; runs that are known stay. */
  put(check: SummaryCheck): void
  remove(id: string): void
  has(id: string): boolean
  ids(): string[]
  /** Of two states that arrive in the wrong order, what a later run said stays. */
  setState(id: string, state: SummaryState): void
  /** @param since null: whoever runs the check is heard of */
  setUnknownSince(id: string, since: number | null): void
  /** Runs of a check that is known; others are ignored. */
  addRuns(id: string, runs: readonly SummaryRun[]): void
  /**
   * The body of the answer, as JSON text.
   *
   * @param cursor from an earlier answer: only rows that changed since then, and ids that vanished. Ignored when it is not ours.
   */
  read(cursor?: string): string
  /**
   * The same without cursor, for a caller that filters.
   *
   * @param others rows from elsewhere, as JSON texts, appended as they are
   */
  readFiltered(filter: SummaryFilter, others?: readonly string[]): string
  /** Changes with every change of any row. */
  cursor(): string
  readonly size: number
}

export interface CheckSummaryDeps {
  clock: Clock
  /** Names this process's sequence; another process's cursors are unknown. */
  epoch: string
  /** Sent as `runnerName`. */
  runnerName: string
}

export const WINDOW_MS = 3_600_000
/** Vanished ids kept for cursors; a reader that missed more gets everything. */
const MAX_REMEMBERED_REMOVALS = 10_000

interface Row {
  check: SummaryCheck
  state: SummaryState
  readonly window: RunWindow
  /** Stands in for the window when no run lies in it. */
  latest: SummaryRun | null
  /** When whoever runs the check was heard last, once it fell silent. */
  unknownSince: number | null
  /** Sequence of the last change. */
  sequence: number
  /** null: changed since it was last written. */
  json: string | null
}

const NO_STATE: SummaryState = {
  status: null,
  lastRuntimeAt: null,
  nextRuntimeAt: null,
  lastTransitionAt: null,
  updatedAt: null,
}

const toTime = (at: number | null): string | undefined => (at === null ? undefined : new Date(at).toISOString())
/** Absent and null are the same on the wire; absent is shorter. */
const orAbsent = <Value>(value: Value | null): Value | undefined => value ?? undefined
/** Zero percentiles are left out on the wire. */
const orNone = (durationMs: number): number | undefined => (durationMs === 0 ? undefined : durationMs)

/** The row of a check is in every open board; what an agent pushed is kept as long as it is. */
const bound = (text: string | null): string | null => (text === null ? null : toBoundedText(text))

function toStats(window: RunWindow, latest: SummaryRun | null): WindowStats {
  if (window.size > 0 || latest === null) return window.stats()
  const { passed, startedAt, durationMs } = latest
  return {
    passed: passed ? 1 : 0,
    failed: passed ? 0 : 1,
    lastPassAt: passed ? startedAt : null,
    lastFailAt: passed ? null : startedAt,
    p95: durationMs,
    p97: durationMs,
    p99: durationMs,
    mean: durationMs,
  }
}

function toJson({ check, state, window, latest, unknownSince }: Row): string {
  const stats = toStats(window, latest)
  return JSON.stringify({
    id: check.id,
    canary_id: check.canaryId,
    canary_name: check.canaryName,
    canary_namespace: check.canaryNamespace,
    name: check.name,
    namespace: orAbsent(check.namespace),
    type: check.type,
    status: orAbsent(state.status),
    severity: orAbsent(check.severity),
    description: orAbsent(check.description),
    icon: orAbsent(check.icon),
    owner: orAbsent(check.owner),
    endpoint: orAbsent(check.endpoint),
    agent_id: check.agentId,
    labels: check.labels,
    uptime: {
      passed: stats.passed,
      failed: stats.failed,
      last_pass: toTime(stats.lastPassAt),
      last_fail: toTime(stats.lastFailAt),
    },
    latency: {
      p99: orNone(stats.p99),
      p97: orNone(stats.p97),
      p95: orNone(stats.p95),
      rolling1h: Math.round(stats.mean * 100) / 100,
    },
    last_runtime: toTime(state.lastRuntimeAt),
    next_runtime: toTime(state.nextRuntimeAt),
    last_transition_time: toTime(state.lastTransitionAt),
    last_error: latest?.passed === false ? orAbsent(latest.error) : undefined,
    unknown_since: toTime(unknownSince),
    created_at: toTime(check.createdAt),
    updated_at: toTime(state.updatedAt),
    silenced_at: toTime(check.silencedAt),
  })
}

function matches(check: SummaryCheck, { checkId, labels }: SummaryFilter): boolean {
  if (checkId !== undefined && check.id !== checkId) return false
  return Object.entries(labels ?? {}).every(([name, value]) => ownValue(check.labels, name) === value)
}

/** The summary of all checks, kept up to date by its owner's calls. */
export function createCheckSummary({ clock, epoch, runnerName }: CheckSummaryDeps): CheckSummaryStore {
  const rows = new Map<string, Row>()
  /** Ids that vanished, in the order of their sequence. */
  const removals = new Map<string, number>()
  let sequence = 0
  /** For cursors before this one it is no longer known what vanished since. */
  let forgottenUntil = 0
  let complete: { sequence: number; text: string } | null = null

  function touch(row: Row): void {
    row.sequence = ++sequence
    row.json = null
  }

  const rowJson = (row: Row): string => (row.json ??= toJson(row))

  /** Runs leave the hour by time alone; 10,000 comparisons cost 0.1 ms, so they are made when someone looks. */
  function expire(): void {
    const before = clock.now() - WINDOW_MS
    for (const row of rows.values()) {
      if (row.window.oldestAt() < before && row.window.expire(before)) touch(row)
    }
  }

  /** The sequence a cursor stands for; null when it is not ours or too old. */
  function toSequence(cursor: string | undefined): number | null {
    const separator = cursor?.lastIndexOf('.') ?? -1
    if (cursor === undefined || separator < 0 || cursor.slice(0, separator) !== epoch) return null
    const text = cursor.slice(separator + 1)
    const known = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN
    return known >= forgottenUntil && known <= sequence ? known : null
  }

  const cursor = (): string => `${epoch}.${sequence}`

  function body(startedAt: number, rowTexts: readonly string[], tail: string): string {
    const durationMs = Math.round((clock.monotonic() - startedAt) * 1_000) / 1_000
    return `{"duration":${durationMs},"runnerName":${JSON.stringify(runnerName)},"checks_summary":[${rowTexts.join(',')}]${tail}}`
  }

  function read(since?: string): string {
    const startedAt = clock.monotonic()
    expire()
    const from = toSequence(since)
    const cursorField = `,"cursor":${JSON.stringify(cursor())}`
    if (from === null) {
      if (complete?.sequence !== sequence) {
        complete = { sequence, text: body(startedAt, Array.from(rows.values(), rowJson), cursorField) }
      }
      return complete.text
    }
    const changed: string[] = []
    if (from < sequence) {
      for (const row of rows.values()) if (row.sequence > from) changed.push(rowJson(row))
    }
    const removed: string[] = []
    for (const [id, removedAt] of removals) if (removedAt > from) removed.push(id)
    return body(startedAt, changed, `${cursorField},"partial":true,"removed":${JSON.stringify(removed)}`)
  }

  function readFiltered(filter: SummaryFilter, others: readonly string[] = []): string {
    const startedAt = clock.monotonic()
    expire()
    const found = [...rows.values()].filter(({ check }) => matches(check, filter))
    if (filter.sortBy) {
      const direction = filter.sortBy === 'name' ? 1 : -1
      found.sort((a, b) => direction * a.check.name.localeCompare(b.check.name, 'en'))
    }
    return body(startedAt, [...found.map(rowJson), ...others], '')
  }

  return {
    put: (whole) => {
      const check = { ...whole, description: bound(whole.description) }
      const row = rows.get(check.id)
      if (row) {
        row.check = check
        touch(row)
        return
      }
      const added: Row = {
        check,
        state: NO_STATE,
        window: new RunWindow(),
        latest: null,
        unknownSince: null,
        sequence: 0,
        json: null,
      }
      rows.set(check.id, added)
      removals.delete(check.id)
      touch(added)
    },
    remove: (id) => {
      if (!rows.delete(id)) return
      removals.set(id, ++sequence)
      const [oldest] = removals
      if (oldest && removals.size > MAX_REMEMBERED_REMOVALS) {
        removals.delete(oldest[0])
        forgottenUntil = oldest[1]
      }
    },
    has: (id) => rows.has(id),
    ids: () => [...rows.keys()],
    setState: (id, state) => {
      const row = rows.get(id)
      if (!row || (state.lastRuntimeAt ?? -Infinity) < (row.state.lastRuntimeAt ?? -Infinity)) return
      row.state = state
      touch(row)
    },
    setUnknownSince: (id, since) => {
      const row = rows.get(id)
      if (!row || row.unknownSince === since) return
      row.unknownSince = since
      touch(row)
    },
    addRuns: (id, runs) => {
      const row = rows.get(id)
      if (!row) return
      const before = clock.now() - WINDOW_MS
      let isChanged = false
      for (const run of runs) {
        if (run.startedAt >= before && row.window.add(run.startedAt, run.durationMs, run.passed)) isChanged = true
        if (row.latest === null || run.startedAt > row.latest.startedAt) {
          row.latest = { ...run, error: bound(run.error) }
          isChanged = true
        }
      }
      if (isChanged) touch(row)
    },
    read,
    readFiltered,
    cursor: () => {
      expire()
      return cursor()
    },
    get size() {
      return rows.size
    },
  }
}
