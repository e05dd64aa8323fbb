import type { Resource } from '@watchroom/shared/access'
import { assertNever, type Clock, createRateLimit, createTimer } from '@watchroom/shared/kernel'
import {
  type ClientMessage,
  ClientMessageSchema,
  CLOSE_CODES,
  type CloseName,
  type Position,
  PROTOCOL_VERSION,
  type ServerMessage,
} from '@watchroom/shared/protocol'

import type { OpenTopic, SharedSnapshot } from './createOpenTopic.ts'
import { liveErrors } from './errors.ts'
import type { LiveSettings } from './settings.ts'

// Delivery to one socket. Nothing is queued here: a subscription remembers the offset it has sent, and the next delta is cut
// from the topic's log when the socket can take it. A slow socket thereby gets the newest op per key, not all of them (LIVE-20).

/** The part of a socket in use here. */
export interface SessionPort {
  readonly send: (message: ServerMessage) => void
  /** Bytes handed over and not yet taken by the operating system. */
  readonly bufferedBytes: () => number
  /** Ends the socket. `hard`: without waiting for what is still unsent. */
  readonly close: (hard: boolean) => void
  /** The client unpacks `packed` messages. */
  readonly canUnpack: boolean
}

/** What a right to read is about: everything of a resource, or one topic with its parameters. */
export interface Readable {
  readonly resource: Resource
  readonly address: string
  /** What the backend is asked about. */
  readonly source: string
}

export type TopicLookup =
  | { readonly ok: true; readonly topic: OpenTopic }
  /** `detail`: what the backend said. */
  | { readonly ok: false; readonly reason: 'forbidden'; readonly detail: string | null }
  | { readonly ok: false; readonly reason: 'unknown' | 'full' }

/** At once where it is known who may see it. Rejects when nobody can say. */
export type FoundTopic = TopicLookup | Promise<TopicLookup>

export interface TopicSessionDeps {
  readonly clock: Clock
  readonly settings: LiveSettings
  /** Takes one of the subscriptions that this person may have over all sockets; null when there is none left. */
  readonly enterSubscription: () => (() => void) | null
  /** Opens the topic as this person may see it. */
  readonly find: (name: string, params: Record<string, string>) => FoundTopic
  readonly onResult: (result: 'delta' | 'snapshot' | 'denied') => void
  readonly onCut: (code: number) => void
  readonly onClose: () => void
}

export interface TopicSession {
  readonly receive: (raw: unknown) => void
  /** Sends what is due, as far as the socket takes it. */
  readonly flush: () => void
  /** Beats, heartbeats, and the verdict on slow sockets; about once a second. */
  readonly tick: () => void
  /** Rights may have changed: topics that may no longer be read are left, and those that show other rows now start over with them. */
  readonly recheckRights: () => void
  readonly tellProblem: (topic: OpenTopic) => void
  /** Says why and ends the socket. */
  readonly end: (reason: CloseName, message: string, retryMs?: number) => void
  readonly close: () => void
  readonly bufferedBytes: () => number
}

/** What the client asked for, whether it may have it or not. */
interface Wish {
  readonly id: string
  readonly name: string
  readonly params: Record<string, string>
  readonly since: Position | null
  /** Gives the subscription's place back. */
  readonly leave: () => void
  /** The latest question who may see it; older ones count for nothing. */
  question: number
}

interface Subscription {
  readonly id: string
  readonly topic: OpenTopic
  readonly unwatch: () => void
  /** Position the client says it has; gone once it was answered. */
  since: Position | null
  /** Snapshot under way and its next page; null when the base is settled or not yet begun. */
  paging: { readonly shared: SharedSnapshot; page: number } | null
  /** Offset up to which ops were sent; null before the base is settled (LIVE-10). */
  sentOffset: number | null
  sentAsOf: number
  sentAt: number
  /** A message is being packed; its place in the order is taken. */
  isPacking: boolean
}

const NOT_FOUND = {
  unknown: liveErrors.LIVE_TOPIC_UNKNOWN,
  forbidden: liveErrors.LIVE_TOPIC_FORBIDDEN,
  full: liveErrors.LIVE_TOO_MANY_TOPICS,
} as const

function toRefusal(found: Extract<TopicLookup, { ok: false }>): { code: string; message: string } {
  const { code, message } = NOT_FOUND[found.reason]
  const detail = found.reason === 'forbidden' ? found.detail : null
  return { code, message: detail ? `${message}: ${detail}` : message }
}

export function createTopicSession(port: SessionPort, deps: TopicSessionDeps): TopicSession {
  const { clock, settings } = deps
  /** By id. */
  const wishes = new Map<string, Wish>()
  /** The wishes that may be seen, by id. */
  const subscriptions = new Map<string, Subscription>()
  const retryTimer = createTimer(clock)
  let isClosed = false
  const ownMessages = createRateLimit(clock, {
    perSecond: settings.messagesPerSecond,
    burst: settings.messageBurst,
  })
  let sentAt = clock.monotonic()
  /** Since when something is due that the socket does not take. */
  let blockedSince: number | null = null

  const send = (message: ServerMessage): void => {
    sentAt = clock.monotonic()
    port.send(message)
  }

  const close = (): void => {
    if (isClosed) return
    isClosed = true
    retryTimer.clear()
    for (const id of wishes.keys()) drop(id)
    deps.onClose()
  }

  const end = (reason: CloseName, message: string, retryMs?: number): void => {
    if (isClosed) return
    const { code } = CLOSE_CODES[reason]
    deps.onCut(code)
    port.send({ type: 'bye', code, message, ...(retryMs === undefined ? {} : { retryMs }) })
    close()
    // A socket that reads nothing would keep its unsent bytes until the operating system gives up.
    port.close(reason === 'tooSlow')
  }

  // ---- what the client asks -----------------------------------------------------------------------------------------

  const deny = (id: string, { code, message }: { code: string; message: string }): void => {
    drop(id)
    deps.onResult('denied')
    send({ type: 'denied', id, code, message })
  }

  const subscribe = ({ id, topic: name, params, since }: Extract<ClientMessage, { type: 'subscribe' }>): void => {
    drop(id)
    const leave = wishes.size < settings.maxSubscriptions ? deps.enterSubscription() : null
    if (!leave) return deny(id, liveErrors.LIVE_TOO_MANY_TOPICS)
    const wish: Wish = { id, name, params, since: since ?? null, leave, question: 0 }
    wishes.set(id, wish)
    ask(wish)
  }

  /** Finds out how the topic may be seen, now or anew. */
  const ask = (wish: Wish): void => {
    const question = ++wish.question
    const isCurrent = (): boolean => wishes.get(wish.id) === wish && wish.question === question
    const found = deps.find(wish.name, wish.params)
    if (!(found instanceof Promise)) return grant(wish, found)
    void found.then(
      (lookup) => {
        if (isCurrent()) grant(wish, lookup)
      },
      () => {
        if (isCurrent()) handleUnanswered(wish)
      },
    )
  }

  const grant = (wish: Wish, found: TopicLookup): void => {
    const before = subscriptions.get(wish.id)
    if (!found.ok) return deny(wish.id, toRefusal(found))
    if (before?.topic === found.topic) return
    before?.unwatch()
    const { id, since } = wish
    subscriptions.set(id, {
      id,
      topic: found.topic,
      unwatch: found.topic.watch(),
      // Rows of another feed are nothing to build upon.
      since: before ? null : since,
      paging: null,
      sentOffset: null,
      sentAsOf: 0,
      sentAt: clock.monotonic(),
      isPacking: false,
    })
    const problem = found.topic.problem()
    if (problem || before) send({ type: 'source', id, problem, now: clock.now() })
    flush()
  }

  /** Who sees rows already keeps them, as with a session that cannot be confirmed; nobody sees more than before meanwhile. */
  const handleUnanswered = ({ id }: Wish): void => {
    const { code, message } = liveErrors.LIVE_RIGHTS_UNCONFIRMED
    const nextAttemptAt = clock.now() + settings.sightRetryMs
    if (!subscriptions.has(id)) {
      send({ type: 'source', id, problem: { code, message, consecutiveFailures: 1, nextAttemptAt }, now: clock.now() })
    }
    if (retryTimer.isSet()) return
    retryTimer.set(() => {
      for (const wish of wishes.values()) if (!subscriptions.has(wish.id)) ask(wish)
    }, settings.sightRetryMs)
  }

  const drop = (id: string): void => {
    subscriptions.get(id)?.unwatch()
    subscriptions.delete(id)
    wishes.get(id)?.leave()
    wishes.delete(id)
  }

  const receive = (raw: unknown): void => {
    if (isClosed) return
    if (!ownMessages.tryTake()) {
      end('rateExceeded', liveErrors.LIVE_RATE_EXCEEDED.message)
      return
    }
    const parsed = ClientMessageSchema.safeParse(raw)
    if (!parsed.success) {
      end('badMessage', liveErrors.LIVE_MESSAGE_UNREADABLE.message)
      return
    }
    const message = parsed.data
    switch (message.type) {
      case 'subscribe':
        subscribe(message)
        return
      case 'unsubscribe':
        drop(message.id)
        return
      case 'refresh':
        subscriptions.get(message.id)?.topic.wake()
        return
      default:
        assertNever(message, 'client message')
    }
  }

  // ---- what the client gets -----------------------------------------------------------------------------------------

  const isLive = (subscription: Subscription): boolean => subscriptions.get(subscription.id) === subscription

  /** Sends a packed message when it is ready; until then the subscription sends nothing else. */
  const sendPacked = async (
    subscription: Subscription,
    packing: Promise<Uint8Array>,
    sent: () => void,
  ): Promise<void> => {
    subscription.isPacking = true
    let data: Uint8Array
    try {
      data = await packing
    } catch {
      // Only an exhausted zlib refuses; a socket that starts over may find it recovered.
      end('epochChanging', liveErrors.LIVE_PACKING_FAILED.message)
      return
    }
    subscription.isPacking = false
    if (isClosed || !isLive(subscription)) return
    send({ type: 'packed', id: subscription.id, data: data as Uint8Array<ArrayBuffer> })
    sent()
    flush()
  }

  const settle = (subscription: Subscription, offset: number, asOf: number): void => {
    subscription.paging = null
    subscription.since = null
    subscription.sentOffset = offset
    subscription.sentAsOf = asOf
    subscription.sentAt = clock.monotonic()
  }

  const sendPage = (subscription: Subscription, paging: { readonly shared: SharedSnapshot; page: number }): void => {
    const { shared, page } = paging
    const { epoch, offset, asOf } = shared.snapshot
    const sent = (): void => {
      paging.page += 1
      if (paging.page === shared.pages) settle(subscription, offset, asOf)
    }
    if (port.canUnpack) {
      void sendPacked(subscription, shared.packed(page), sent)
      return
    }
    const head = { epoch, offset, asOf, now: clock.now(), freshForMs: subscription.topic.freshForMs }
    const rows = [...shared.rows(page)]
    send({ type: 'snapshot', id: subscription.id, ...head, page, pages: shared.pages, rows })
    sent()
  }

  const sendDelta = (subscription: Subscription, from: number): boolean => {
    const shared = subscription.topic.delta(from)
    if (!shared) return false
    const { delta } = shared
    const packing = port.canUnpack ? shared.packed() : null
    const sent = (): void => settle(subscription, delta.to, delta.asOf)
    if (packing) void sendPacked(subscription, packing, sent)
    else {
      send({ type: 'delta', id: subscription.id, ...delta, ops: [...delta.ops] })
      sent()
    }
    return true
  }

  const startSnapshot = (subscription: Subscription): void => {
    const shared = subscription.topic.snapshot()
    if (!shared) return
    subscription.since = null
    subscription.sentOffset = null
    subscription.paging = { shared, page: 0 }
    deps.onResult('snapshot')
    sendPage(subscription, subscription.paging)
  }

  /** Whether the next message of the subscription is due now. */
  const isDue = (subscription: Subscription): boolean => {
    if (subscription.isPacking) return false
    const position = subscription.topic.table.position()
    if (!position) return false
    if (subscription.sentOffset !== position.offset) return true
    const idleMs = clock.monotonic() - subscription.sentAt
    const isConfirmed = subscription.topic.table.asOf() > subscription.sentAsOf && idleMs >= settings.confirmMs
    return isConfirmed || idleMs >= settings.heartbeatMs
  }

  const sendNext = (subscription: Subscription): void => {
    const { topic, since, paging, sentOffset } = subscription
    const position = topic.table.position()
    if (!position) return
    if (paging) sendPage(subscription, paging)
    else if (sentOffset === null) {
      if (since && topic.table.reaches(since)) {
        deps.onResult('delta')
        sendDelta(subscription, since.offset)
      } else startSnapshot(subscription)
    } else if (sentOffset === position.offset) {
      const asOf = topic.table.asOf()
      settle(subscription, sentOffset, asOf)
      send({ type: 'heartbeat', id: subscription.id, ...position, asOf, now: clock.now() })
    } else if (!sendDelta(subscription, sentOffset)) startSnapshot(subscription)
  }

  const flush = (): void => {
    if (isClosed) return
    let hasMore = true
    while (hasMore) {
      hasMore = false
      for (const subscription of subscriptions.values()) {
        if (!isDue(subscription)) continue
        if (port.bufferedBytes() >= settings.highWaterBytes) {
          blockedSince ??= clock.monotonic()
          return
        }
        sendNext(subscription)
        hasMore = true
      }
    }
    blockedSince = null
  }

  const tick = (): void => {
    if (isClosed) return
    flush()
    const isBlocked = blockedSince !== null && clock.monotonic() - blockedSince >= settings.cutMs
    if (isBlocked || port.bufferedBytes() > settings.cutBytes) {
      end('tooSlow', liveErrors.LIVE_TOO_SLOW.message)
      return
    }
    const isSilent = clock.monotonic() - sentAt >= settings.beatMs - 100
    if (isSilent && port.bufferedBytes() < settings.highWaterBytes) send({ type: 'beat', now: clock.now() })
  }

  send({ type: 'welcome', version: PROTOCOL_VERSION, now: clock.now(), beatMs: settings.beatMs })
  return {
    receive,
    flush,
    tick,
    recheckRights: () => {
      for (const wish of wishes.values()) ask(wish)
    },
    tellProblem: (failing) => {
      for (const { id, topic } of subscriptions.values()) {
        if (topic === failing) send({ type: 'source', id, problem: topic.problem(), now: clock.now() })
      }
    },
    end,
    close,
    bufferedBytes: port.bufferedBytes,
  }
}
