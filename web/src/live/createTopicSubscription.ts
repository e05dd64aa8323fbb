import { backoffMs, type Clock, createTimer } from '@watchroom/shared/kernel'
import {
  applyDelta,
  applySnapshotPage,
  type ClientMessage,
  type PartialSnapshot,
  type ResyncReason,
  type RowReader,
  type SourceProblem,
  type TableState,
  type Topic,
  type TopicRow,
} from '@watchroom/shared/protocol'

import type { Inflate, LinkState, TopicError } from './contract.ts'
import { createExclusion } from './createExclusion.ts'
import { createTopicInbox, type TopicMessage, type UnpackedMessage } from './topicInbox.ts'

// One topic over the socket: subscribes, applies messages in order, and starts over when they do not fit.

/** A subscription without any answer after this long was lost on the way. */
const ANSWER_TIMEOUT_MS = 10_000
const RESYNC_BACKOFF = { firstMs: 200, maxMs: 10_000 }
/** Resyncs further apart than this are independent of each other. */
const RESYNC_FORGIVEN_MS = 30_000

/** Messages count while the state has an `id`, and deltas only once the subscription has its base (LIVE-10). */
type State<Row extends TopicRow> =
  | { readonly kind: 'idle' }
  | { readonly kind: 'asked' | 'settled'; readonly id: string; readonly partial: PartialSnapshot<Row> | null }
  /** Waiting to ask again, and to leave the old subscription then. */
  | { readonly kind: 'resyncing'; readonly oldId: string }
  /** Denied, or over the limit: no subscription until it asks again. */
  | { readonly kind: 'outside' }

export interface TopicSubscriptionDeps<Row> {
  readonly clock: Clock
  readonly random: () => number
  readonly inflate: Inflate
  readonly link: () => LinkState
  readonly send: (message: ClientMessage) => boolean
  readonly nextId: () => string
  /** Routes messages of the subscription `id` here until the next call. */
  readonly route: (id: string | null) => void
  /** Rows on screen: what identity is kept against. */
  readonly shown: () => ReadonlyMap<string, Row>
  /** The table has a new base or new rows. */
  readonly onTable: (rows: ReadonlyMap<string, Row>) => void
  /** Anything else that screens show has changed. */
  readonly onChange: () => void
  readonly onResync: (reason: ResyncReason | 'timeout', detail?: string) => void
}

export interface TopicSubscription<Row extends TopicRow> {
  readonly table: () => TableState<Row> | null
  readonly freshForMs: () => number
  readonly denied: () => TopicError | null
  readonly unreadable: () => TopicError | null
  /** Why the gateway has no newer rows. */
  readonly problem: () => SourceProblem | null
  /** For how long there has been no room for these rows, in milliseconds; null while there is. */
  readonly crowdedMs: () => number | null
  /** There is a new socket. */
  readonly open: () => void
  /** The socket is gone. */
  readonly lose: () => void
  readonly receive: (message: TopicMessage) => void
  /** The person may see other things than before. */
  readonly rightsChanged: () => void
  /** Asks the gateway to look now. @returns whether there was anyone to ask */
  readonly refresh: () => boolean
  readonly close: () => void
}

export function createTopicSubscription<Params extends Record<string, string>, Row extends TopicRow>(
  topic: Topic<Params, Row>,
  params: Params,
  deps: TopicSubscriptionDeps<Row>,
): TopicSubscription<Row> {
  const reader: RowReader<Row> = { schema: topic.row, key: topic.key }
  const answerTimer = createTimer(deps.clock)
  const resyncTimer = createTimer(deps.clock)
  const nextResyncDelay = createResyncDelays(deps.clock)
  let state: State<Row> = { kind: 'idle' }
  let table: TableState<Row> | null = null
  let freshForMs = 0
  let unreadable: TopicError | null = null
  const exclusion = createExclusion({ ...deps, ask: () => askAgain() })

  const inbox = createTopicInbox({
    inflate: deps.inflate,
    isCurrent: (id) => 'id' in state && state.id === id,
    onMessage: (message) => apply(message),
    onUnreadable: (detail) => resync('unreadable', detail),
  })

  const subscribe = (since: { epoch: string; offset: number } | null): void => {
    if (state.kind === 'resyncing') deps.send({ type: 'unsubscribe', id: state.oldId })
    const id = deps.nextId()
    state = { kind: 'asked', id, partial: null }
    inbox.clear()
    deps.route(id)
    deps.send({ type: 'subscribe', id, topic: topic.name, params, ...(since ? { since } : {}) })
    answerTimer.set(() => {
      if (state.kind === 'asked' && deps.link().kind === 'open') resync('timeout')
    }, ANSWER_TIMEOUT_MS)
  }

  const resync = (reason: ResyncReason | 'timeout', detail?: string): void => {
    if (!('id' in state)) return
    deps.onResync(reason, detail)
    if (reason === 'unreadable') {
      unreadable = { code: 'LIVE_UNREADABLE', message: 'This page can’t read the data. Reload it.' }
    }
    // After a gap the table is sound up to its offset; after anything else it cannot be continued (LIVE-14).
    const since = reason === 'gap' ? positionOf(table) : null
    // A timeout has waited long enough already.
    const delayMs = reason === 'timeout' ? 0 : nextResyncDelay()
    state = { kind: 'resyncing', oldId: state.id }
    // Messages still on their way for the old subscription do not count.
    deps.route(null)
    answerTimer.clear()
    resyncTimer.clear()
    if (delayMs === 0) subscribe(since)
    else resyncTimer.set(() => subscribe(since), delayMs)
    deps.onChange()
  }

  const settle = (id: string, next: TableState<Row>): void => {
    state = { kind: 'settled', id, partial: null }
    table = next
    unreadable = null
    exclusion.admit()
    answerTimer.clear()
    deps.onTable(next.rows)
  }

  const apply = (message: UnpackedMessage): void => {
    if (!('id' in state)) return
    const { id } = state
    switch (message.type) {
      case 'snapshot': {
        const isKnown =
          state.kind === 'settled' && table !== null && message.epoch === table.epoch && message.offset <= table.offset
        if (isKnown) return
        const applied = applySnapshotPage(deps.shown(), state.partial, message, reader)
        if (applied.verdict === 'resync') return resync(applied.reason, applied.detail)
        freshForMs = message.freshForMs
        if (applied.verdict === 'partial') state = { ...state, partial: applied.partial }
        else settle(id, applied.state)
        return
      }
      case 'delta': {
        // Before the base is settled, only the answer to `since` fits; anything else is ahead of its base.
        if (!table || (state.kind !== 'settled' && message.from !== table.offset)) return
        const applied = applyDelta(table, message, reader)
        if (applied.verdict === 'resync') resync(applied.reason, applied.detail)
        else if (applied.verdict !== 'duplicate') settle(id, applied.state)
        return
      }
      case 'heartbeat':
        if (state.kind !== 'settled' || !table) return
        if (message.epoch !== table.epoch) return resync('epoch')
        if (message.offset > table.offset) return resync('gap')
        table = { ...table, asOf: Math.max(table.asOf, message.asOf) }
        return deps.onChange()
      case 'source':
        return exclusion.hear(message.problem) ? drop() : deps.onChange()
      case 'denied':
        state = { kind: 'outside' }
        deps.route(null)
        return exclusion.deny({ code: message.code, message: message.message }) ? drop() : deps.onChange()
    }
  }

  /** Takes the rows off the screen: the person may no longer see them. */
  const drop = (): void => {
    answerTimer.clear()
    table = null
    deps.onTable(new Map())
  }

  const askAgain = (): void => {
    if (state.kind === 'outside' && deps.link().kind === 'open') subscribe(positionOf(table))
  }

  const leave = (): void => {
    deps.route(null)
    answerTimer.clear()
    resyncTimer.clear()
    exclusion.stop()
    state = { kind: 'idle' }
  }

  return {
    table: () => table,
    freshForMs: () => freshForMs,
    denied: exclusion.denied,
    unreadable: () => unreadable,
    problem: exclusion.problem,
    crowdedMs: exclusion.crowdedMs,
    open: () => {
      // What the old socket said about the source no longer counts; the new one reports itself.
      exclusion.forget()
      leave()
      subscribe(positionOf(table))
    },
    lose: leave,
    rightsChanged: exclusion.rightsChanged,
    receive: (message) => {
      if ('id' in state && message.id === state.id) inbox.receive(message)
    },
    refresh: () => {
      askAgain()
      if (!('id' in state) || deps.link().kind !== 'open') return false
      return deps.send({ type: 'refresh', id: state.id })
    },
    close: () => {
      if ('id' in state) deps.send({ type: 'unsubscribe', id: state.id })
      else if (state.kind === 'resyncing') deps.send({ type: 'unsubscribe', id: state.oldId })
      leave()
    },
  }
}

/** The position from which a table can be continued. */
const positionOf = <Row extends TopicRow>(table: TableState<Row> | null): { epoch: string; offset: number } | null =>
  table && { epoch: table.epoch, offset: table.offset }

/** No delay for the first resync in a while, then longer and longer ones. */
function createResyncDelays(clock: Clock): () => number {
  let repeated = 0
  let lastAt = -Infinity
  return () => {
    repeated = clock.monotonic() - lastAt < RESYNC_FORGIVEN_MS ? repeated + 1 : 0
    lastAt = clock.monotonic()
    return repeated === 0 ? 0 : backoffMs(repeated, RESYNC_BACKOFF)
  }
}
