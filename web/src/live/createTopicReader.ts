import { type Clock, createTimer } from '@watchroom/shared/kernel'
import {
  type ClientMessage,
  deepEqual,
  type ResyncReason,
  type TableState,
  type Topic,
  type TopicRow,
} from '@watchroom/shared/protocol'

import type { Inflate, LinkState, TopicError, TopicOptions, TopicState, TopicView } from './contract.ts'
import { UNPROVEN_AFTER_MS } from './createSilenceWatch.ts'
import { createTopicPoll } from './createTopicPoll.ts'
import { createTopicSubscription } from './createTopicSubscription.ts'
import type { TopicMessage } from './topicInbox.ts'

// The reader of one topic: rows by the socket, or by REST without one, and how old they are.
// Knows nothing of React or of sockets: `createLink` owns the socket, `useTopic` the cache.

/** After this long without a message from the gateway, the rows are marked as possibly old (LIVE-43). A reconnect takes less. */
const OFFLINE_AFTER_MS = UNPROVEN_AFTER_MS
/** Rows that nobody was watching may be old. The gateway reads them again at once, and this long that is not a delay yet (LIVE-44). */
const FIRST_LOOK_MS = 2_000
/** Even rows that stay valid until further notice are checked again after this: a browser's timer has a maximum. */
const LONGEST_WAIT_MS = 3_600_000

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
  /** The open link went silent, or speaks again. */
  readonly silenceChanged: () => void
  /** The person may see other things than before. */
  readonly rightsChanged: () => void
  readonly setOptions: (options: TopicOptions<Row>) => void
  readonly close: () => void
}

/** What the state of a topic depends on. */
interface Facts {
  readonly link: LinkState
  readonly isOffline: boolean
  readonly ageMs: number | null
  readonly freshForMs: number
  /** The first rows came a moment ago. */
  readonly isFirstLook: boolean
  readonly denied: TopicError | null
  readonly unreadable: TopicError | null
  readonly problem: TopicError | null
  readonly pollError: TopicError | null
  /** Set when there is no room for the rows on the link. `isPolled`: this page can get them by REST. */
  readonly crowded: { readonly isPolled: boolean } | null
  /** There are rows from an earlier visit, which nothing has confirmed since this reader began. */
  readonly hasRows: boolean
}

function judge(facts: Facts): { state: TopicState; error: TopicError | undefined } {
  const { link, denied, unreadable, problem, pollError, ageMs } = facts
  if (denied) return { state: 'denied', error: denied }
  const said = link.kind === 'ended' ? link : link.kind === 'open' ? undefined : link.because
  const linkError = said && { code: `LIVE_CLOSED_${said.code}`, message: said.message }
  const error = unreadable ?? (facts.isOffline ? (pollError ?? linkError) : problem) ?? undefined
  if (ageMs === null) {
    if (facts.isOffline && facts.hasRows) return { state: 'offline', error: error ?? linkError }
    const isHopeless =
      unreadable !== null ||
      (problem !== null && facts.crowded?.isPolled !== true) ||
      pollError !== null ||
      link.kind === 'ended'
    return { state: isHopeless ? 'failed' : 'loading', error: error ?? linkError }
  }
  if (facts.isOffline || facts.crowded) return { state: 'offline', error }
  if (ageMs <= facts.freshForMs) return { state: 'live', error }
  return { state: facts.isFirstLook && problem === null ? 'loading' : 'delayed', error }
}

export function createTopicReader<Params extends Record<string, string>, Row extends TopicRow>(
  topic: Topic<Params, Row>,
  params: Params,
  known: readonly Row[],
  deps: TopicReaderDeps,
): TopicReader<Row> {
  const toMap = (rows: readonly Row[]): Map<string, Row> => new Map(rows.map((row) => [String(row[topic.key]), row]))
  /** Rows on screen: what identity is kept against. */
  let shown: ReadonlyMap<string, Row> = toMap(known)
  let shownRows: readonly Row[] = known
  let isClosed = false
  const judgeTimer = createTimer(deps.clock)
  const firstLook = createFirstLook(deps.clock)

  const subscription = createTopicSubscription(topic, params, {
    ...deps,
    shown: () => shown,
    onTable: (rows) => {
      firstLook.begin()
      poll.forget()
      show(rows)
      pollWhereCrowded()
    },
    onChange: () => {
      update()
      pollWhereCrowded()
    },
  })
  const poll = createTopicPoll<Row>({
    ...deps,
    // Crowded out, the page has nothing yet: it must not be kept waiting.
    downMs: () => deps.downMs() ?? (subscription.crowdedMs() === null ? null : Infinity),
    toMap,
    mayPoll: () =>
      !isClosed && (deps.link().kind !== 'open' || subscription.crowdedMs() !== null) && !subscription.denied(),
    shown: () => shown,
    onChange: () => show(poll.rows()?.rows ?? shown),
  })

  const pollWhereCrowded = (): void => {
    if (deps.link().kind !== 'open') return
    if (subscription.crowdedMs() === null) poll.stop()
    else poll.start()
  }

  const asOf = (): number | null => poll.rows()?.asOf ?? subscription.table()?.asOf ?? null
  const via = (): TopicView<Row>['via'] => (poll.rows() ? 'polling' : subscription.table() ? 'socket' : null)
  const ageMs = (): number | null => {
    const moment = asOf()
    return moment === null ? null : Math.max(0, deps.serverNow() - moment)
  }

  const buildView = (state: TopicState, error: TopicError | undefined): TopicView<Row> => ({
    rows: shownRows,
    state,
    via: via(),
    ...(error ? { error: { code: error.code, message: error.message } } : {}),
    get asOf() {
      return asOf()
    },
    ageMs,
    downMs: () => deps.downMs() ?? subscription.crowdedMs(),
    refresh,
  })

  const update = (): void => {
    if (isClosed) return
    const { state, error } = judge({
      link: deps.link(),
      isOffline: (deps.downMs() ?? 0) >= OFFLINE_AFTER_MS,
      ageMs: ageMs(),
      freshForMs: subscription.freshForMs(),
      isFirstLook: firstLook.leftMs() > 0,
      denied: subscription.denied(),
      unreadable: subscription.unreadable(),
      problem: subscription.problem(),
      pollError: poll.error(),
      crowded: subscription.crowdedMs() === null ? null : { isPolled: poll.isAble() },
      hasRows: shownRows.length > 0,
    })
    const hasChanged =
      view.rows !== shownRows ||
      view.state !== state ||
      view.via !== via() ||
      !deepEqual(view.error, error && { ...error })
    if (hasChanged) {
      view = buildView(state, error)
      deps.onView()
    }
    scheduleUpdate()
  }

  /** The state also changes with time alone: live becomes delayed, down becomes offline. */
  const scheduleUpdate = (): void => {
    judgeTimer.clear()
    const age = ageMs()
    const downMs = deps.downMs()
    const freshForMs = subscription.freshForMs()
    const waits = [
      ...(firstLook.leftMs() > 0 ? [firstLook.leftMs()] : []),
      ...(age !== null && age <= freshForMs ? [freshForMs - age + 1] : []),
      ...(downMs !== null && downMs < OFFLINE_AFTER_MS ? [OFFLINE_AFTER_MS - downMs] : []),
    ]
    if (waits.length > 0) judgeTimer.set(update, Math.min(LONGEST_WAIT_MS, ...waits))
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

  function refresh(): void {
    if (!subscription.refresh() || subscription.crowdedMs() !== null) poll.now()
  }

  let view: TopicView<Row> = buildView('loading', undefined)

  return {
    view: () => view,
    table: subscription.table,
    receive: subscription.receive,
    linkChanged: () => {
      if (deps.link().kind === 'open') {
        poll.stop()
        subscription.open()
      } else {
        subscription.lose()
        poll.start()
      }
      update()
    },
    silenceChanged: update,
    rightsChanged: subscription.rightsChanged,
    setOptions: poll.setOptions,
    close: () => {
      isClosed = true
      subscription.close()
      poll.stop()
      judgeTimer.clear()
    },
  }
}

/** Tells how much of the first look is left, in milliseconds. It begins once, with the first rows. */
function createFirstLook(clock: Clock): { readonly begin: () => void; readonly leftMs: () => number } {
  let endsAt: number | null = null
  return {
    begin: () => {
      endsAt ??= clock.monotonic() + FIRST_LOOK_MS
    },
    leftMs: () => Math.max(0, (endsAt ?? 0) - clock.monotonic()),
  }
}
