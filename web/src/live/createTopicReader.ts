import { type Clock, createTimer } from '@watchroom/shared/kernel'
import {
  applyDelta,
  applySnapshotPage,
  type ClientMessage,
  deepEqual,
  type PackedBody,
  PackedBodySchema,
  PackedRowsSchema,
  type PartialSnapshot,
  type ResyncReason,
  type RowReader,
  type ServerMessage,
  type SourceProblem,
  type TableState,
  type Topic,
  type TopicRow,
  unpackRows,
} from '@watchroom/shared/protocol'

import type { Inflate, LinkState, TopicError, TopicOptions, TopicState, TopicView } from './contract.ts'

// The reader of one topic: subscribes, applies, resyncs, falls back to REST, and says how old the rows are.
// Knows nothing of React or of sockets: `createLink` owns the socket, `useTopic` the cache.

/** Without a word from the gateway for this long, the rows say that they may be old (LIVE-43). A reconnect takes less. */
const OFFLINE_AFTER_MS = 3_000
/** And for this long, they are polled by REST. */
const POLL_AFTER_MS = 5_000
const DEFAULT_REFRESH_MS = 30_000
/** A subscription answered by nothing at all was lost on the way. */
const ANSWER_TIMEOUT_MS = 10_000
const RESYNC_BASE_MS = 100
const RESYNC_MAX_MS = 10_000
/** Resyncs further apart than this are independent of each other. */
const RESYNC_FORGIVEN_MS = 30_000

export type TopicMessage = Extract<ServerMessage, { id: string }>

export interface TopicReaderDeps {
  readonly clock: Clock
  readonly random: () => number
  readonly inflate: Inflate
  readonly serverNow: () => number
  readonly link: () => LinkState
  readonly downMs: () => number | null
  readonly send: (message: ClientMessage) => boolean
  readonly nextId: () => string
  /** Routes messages of the subscription `id` here until the next call. */
  readonly route: (id: string | null) => void
  readonly onRows: (rows: readonly TopicRow[]) => void
  readonly onView: () => void
  readonly onResync: (reason: ResyncReason | 'timeout', detail?: string) => void
}

export interface TopicReader<Row extends TopicRow> {
  readonly view: () => TopicView<Row>
  /** Last applied position, for tests and diagnosis. */
  readonly table: () => TableState<Row> | null
  readonly receive: (message: TopicMessage) => void
  /** The link opened, went down or ended. */
  readonly linkChanged: () => void
  readonly setOptions: (options: TopicOptions<Row>) => void
  readonly close: () => void
}

export function createTopicReader<Params extends Record<string, string>, Row extends TopicRow>(
  topic: Topic<Params, Row>,
  params: Params,
  known: readonly Row[],
  deps: TopicReaderDeps,
): TopicReader<Row> {
  const { clock } = deps
  const reader: RowReader<Row> = { schema: topic.row, key: topic.key }
  const toMap = (rows: readonly Row[]): Map<string, Row> => new Map(rows.map((row) => [String(row[topic.key]), row]))

  let options: TopicOptions<Row> = {}
  let id: string | null = null
  let table: TableState<Row> | null = null
  let partial: PartialSnapshot<Row> | null = null
  /** The subscription has its base: only now deltas count (LIVE-10). */
  let isSettled = false
  let freshForMs = 0
  let problem: SourceProblem | null = null
  let denied: TopicError | null = null
  let unreadable: TopicError | null = null
  let polled: { rows: ReadonlyMap<string, Row>; asOf: number } | null = null
  let pollError: TopicError | null = null
  let pollAbort: AbortController | null = null
  /** Rows on screen: what identity is kept against. */
  let shown: ReadonlyMap<string, Row> = toMap(known)
  let shownRows: readonly Row[] = known
  let queue: Promise<void> | null = null
  let resyncs = 0
  let resyncedAt = -Infinity
  let isClosed = false
  const answerTimer = createTimer(clock)
  const resyncTimer = createTimer(clock)
  const pollTimer = createTimer(clock)
  const judgeTimer = createTimer(clock)

  const asOf = (): number | null => polled?.asOf ?? table?.asOf ?? null
  const ageMs = (): number | null => {
    const moment = asOf()
    return moment === null ? null : Math.max(0, deps.serverNow() - moment)
  }
  const isOffline = (): boolean => (deps.downMs() ?? 0) >= OFFLINE_AFTER_MS

  // ---- what the screen sees -----------------------------------------------------------------------------------------

  const judge = (): { state: TopicState; error: TopicError | undefined } => {
    const link = deps.link()
    const linkError = link.kind === 'ended' ? { code: `LIVE_CLOSED_${link.code}`, message: link.message } : undefined
    if (denied) return { state: 'denied', error: denied }
    const error = unreadable ?? (isOffline() ? (pollError ?? linkError) : problem) ?? undefined
    if (asOf() === null) {
      const isHopeless = unreadable !== null || problem !== null || pollError !== null || linkError !== undefined
      return { state: isHopeless ? 'failed' : 'loading', error: error ?? linkError }
    }
    if (isOffline()) return { state: 'offline', error }
    return { state: (ageMs() ?? 0) <= freshForMs ? 'live' : 'delayed', error }
  }

  const buildView = (state: TopicState, error: TopicError | undefined): TopicView<Row> => ({
    rows: shownRows,
    state,
    via: polled ? 'polling' : table ? 'socket' : null,
    ...(error ? { error: { code: error.code, message: error.message } } : {}),
    get asOf() {
      return asOf()
    },
    ageMs,
    downMs: deps.downMs,
    refresh,
  })

  const update = (): void => {
    if (isClosed) return
    const { state, error } = judge()
    const via = polled ? 'polling' : table ? 'socket' : null
    const hasChanged =
      view.rows !== shownRows ||
      view.state !== state ||
      view.via !== via ||
      !deepEqual(view.error, error && { ...error })
    if (hasChanged) {
      view = buildView(state, error)
      deps.onView()
    }
    scheduleJudge()
  }

  /** Time alone changes the state too: live becomes delayed, down becomes offline. */
  const scheduleJudge = (): void => {
    judgeTimer.clear()
    const age = ageMs()
    const downMs = deps.downMs()
    const waits = [
      ...(age !== null && age <= freshForMs ? [freshForMs - age + 1] : []),
      ...(downMs !== null && downMs < OFFLINE_AFTER_MS ? [OFFLINE_AFTER_MS - downMs] : []),
    ]
    if (waits.length > 0) judgeTimer.set(update, Math.min(...waits))
  }

  const show = (rows: ReadonlyMap<string, Row>): void => {
    if (shown !== rows) {
      shown = rows
      const next = [...rows.values()]
      const isSame = next.length === shownRows.length && next.every((row, at) => row === shownRows[at])
      if (!isSame) {
        shownRows = next
        deps.onRows(next)
      }
    }
    update()
  }

  // ---- subscription -------------------------------------------------------------------------------------------------

  const subscribe = (since: { epoch: string; offset: number } | null): void => {
    if (id !== null) deps.send({ type: 'unsubscribe', id })
    id = deps.nextId()
    isSettled = false
    partial = null
    queue = null
    deps.route(id)
    deps.send({ type: 'subscribe', id, topic: topic.name, params, ...(since ? { since } : {}) })
    answerTimer.set(() => {
      if (!isSettled && !denied && deps.link().kind === 'open') resync('timeout')
    }, ANSWER_TIMEOUT_MS)
  }

  const resync = (reason: ResyncReason | 'timeout', detail?: string): void => {
    deps.onResync(reason, detail)
    if (reason === 'unreadable') {
      unreadable = { code: 'LIVE_UNREADABLE', message: 'This page does not understand the data. Reload it.' }
    }
    // After a gap the table is sound up to its offset; after anything else it is not to be built upon (LIVE-14).
    const since = reason === 'gap' && table ? { epoch: table.epoch, offset: table.offset } : null
    // Silence has had its wait already.
    const delayMs = reason === 'timeout' ? 0 : nextResyncDelay()
    isSettled = false
    resyncTimer.clear()
    // Nothing that is still under way for the old subscription counts.
    deps.route(null)
    if (delayMs === 0) subscribe(since)
    else resyncTimer.set(() => subscribe(since), delayMs)
    update()
  }

  const nextResyncDelay = (): number => {
    const isRepeated = clock.monotonic() - resyncedAt < RESYNC_FORGIVEN_MS
    resyncs = isRepeated ? resyncs + 1 : 0
    resyncedAt = clock.monotonic()
    return resyncs === 0 ? 0 : Math.min(RESYNC_MAX_MS, RESYNC_BASE_MS * 2 ** Math.min(resyncs, 10))
  }

  const settle = (): void => {
    isSettled = true
    unreadable = null
    polled = null
    pollError = null
    answerTimer.clear()
  }

  const applyBody = (message: Exclude<TopicMessage, { type: 'packed' }>): void => {
    switch (message.type) {
      case 'snapshot': {
        const isKnown = isSettled && table !== null && message.epoch === table.epoch && message.offset <= table.offset
        if (isKnown) return
        const applied = applySnapshotPage(shown, partial, message, reader)
        if (applied.verdict === 'resync') {
          resync(applied.reason, applied.detail)
          return
        }
        freshForMs = message.freshForMs
        if (applied.verdict === 'partial') {
          partial = applied.partial
          return
        }
        partial = null
        table = applied.state
        settle()
        show(table.rows)
        return
      }
      case 'delta': {
        // Before the base is settled only the answer to `since` counts; anything else is ahead of its base.
        if (!table || (!isSettled && message.from !== table.offset)) return
        const applied = applyDelta(table, message, reader)
        if (applied.verdict === 'duplicate') return
        if (applied.verdict === 'resync') {
          resync(applied.reason, applied.detail)
          return
        }
        table = applied.state
        settle()
        show(table.rows)
        return
      }
      case 'heartbeat':
        if (!isSettled || !table) return
        if (message.epoch !== table.epoch) resync('epoch')
        else if (message.offset > table.offset) resync('gap')
        else {
          table = { ...table, asOf: Math.max(table.asOf, message.asOf) }
          update()
        }
        return
      case 'source':
        problem = message.problem
        update()
        return
      case 'denied':
        denied = { code: message.code, message: message.message }
        deps.route(null)
        id = null
        table = null
        polled = null
        isSettled = false
        answerTimer.clear()
        show(new Map())
        return
    }
  }

  const unpack = async (packedId: string, data: ArrayBuffer | Uint8Array): Promise<void> => {
    const text = deps.inflate(data instanceof Uint8Array ? data : new Uint8Array(data))
    const body = PackedBodySchema.safeParse(JSON.parse(typeof text === 'string' ? text : await text))
    if (packedId !== id || isClosed) return
    if (!body.success) resync('unreadable', 'packed body')
    else applyPacked(packedId, body.data)
  }

  const applyPacked = (packedId: string, body: PackedBody): void => {
    if (body.type === 'delta') {
      applyBody({ ...body, id: packedId })
      return
    }
    const { table: packedRows, ...rest } = body
    const rows = PackedRowsSchema.safeParse(packedRows)
    if (rows.success) applyBody({ ...rest, id: packedId, rows: unpackRows(rows.data) })
    else resync('unreadable', 'packed rows')
  }

  /** Inflating may take a turn of the event loop; what arrives meanwhile waits its turn. */
  const enqueue = (message: TopicMessage): void => {
    const run = async (): Promise<void> => {
      if (message.id !== id || isClosed) return
      if (message.type !== 'packed') {
        applyBody(message)
        return
      }
      try {
        await unpack(message.id, message.data)
      } catch (error) {
        if (message.id === id && !isClosed) resync('unreadable', error instanceof Error ? error.message : 'inflate')
      }
    }
    const mine: Promise<void> = (queue ?? Promise.resolve()).then(run).finally(() => {
      if (queue === mine) queue = null
    })
    queue = mine
  }

  // ---- REST while the socket is down --------------------------------------------------------------------------------

  const poll = async (): Promise<void> => {
    const { fetchRows } = options
    if (!fetchRows) return
    // First specification, section 4: a question still under way gives way to a newer one.
    pollAbort?.abort()
    const abort = new AbortController()
    pollAbort = abort
    const askedAt = deps.serverNow()
    try {
      const rows = toMap(await fetchRows(abort.signal))
      if (abort.signal.aborted || deps.link().kind === 'open') return
      for (const [key, row] of rows) {
        const before = shown.get(key)
        if (before && deepEqual(before, row)) rows.set(key, before)
      }
      polled = { rows, asOf: askedAt }
      pollError = null
      show(rows)
    } catch (error) {
      // Polling is the fallback: its failure is shown beside the old rows, and the next round tries again.
      if (abort.signal.aborted) return
      pollError = { code: 'LIVE_POLL_FAILED', message: error instanceof Error ? error.message : String(error) }
      update()
    } finally {
      if (pollAbort === abort) pollAbort = null
    }
  }

  const stopPolling = (): void => {
    pollTimer.clear()
    pollAbort?.abort()
    pollAbort = null
  }

  const schedulePoll = (): void => {
    pollTimer.clear()
    const downMs = deps.downMs()
    const refreshMs = options.refreshMs === undefined ? DEFAULT_REFRESH_MS : options.refreshMs
    if (downMs === null || isClosed || denied || !options.fetchRows || refreshMs === null) return
    const isFirst = polled === null && pollError === null
    // A tenth of jitter keeps the tabs of a room apart.
    const waitMs = isFirst ? Math.max(0, POLL_AFTER_MS - downMs) : refreshMs * (1 + deps.random() / 10)
    pollTimer.set(() => {
      void poll().then(schedulePoll)
    }, waitMs)
  }

  function refresh(): void {
    if (id !== null && deps.link().kind === 'open') deps.send({ type: 'refresh', id })
    else void poll().then(schedulePoll)
  }

  let view: TopicView<Row> = buildView('loading', undefined)

  const linkChanged = (): void => {
    const link = deps.link()
    if (link.kind === 'open') {
      stopPolling()
      denied = null
      // Whatever the old socket said about the source is history; the new one speaks for itself.
      problem = null
      id = null
      resyncTimer.clear()
      subscribe(table ? { epoch: table.epoch, offset: table.offset } : null)
    } else {
      if (id !== null) {
        deps.route(null)
        id = null
        isSettled = false
        partial = null
        answerTimer.clear()
        resyncTimer.clear()
      }
      // A failed attempt to reconnect must not postpone a poll that is planned already.
      if (!pollTimer.isSet() && !pollAbort) schedulePoll()
    }
    update()
  }

  return {
    view: () => view,
    table: () => table,
    receive: (message) => {
      if (message.id !== id || isClosed) return
      if (queue || message.type === 'packed') enqueue(message)
      else applyBody(message)
    },
    linkChanged,
    setOptions: (next) => {
      // Screens may pass a new function with every render; only its presence and the rate change the plan.
      const isSame = !next.fetchRows === !options.fetchRows && next.refreshMs === options.refreshMs
      options = next
      if (!isSame && deps.link().kind !== 'open') schedulePoll()
    },
    close: () => {
      if (id !== null) deps.send({ type: 'unsubscribe', id })
      deps.route(null)
      isClosed = true
      id = null
      stopPolling()
      answerTimer.clear()
      resyncTimer.clear()
      judgeTimer.clear()
    },
  }
}
