// What one socket gets. Nothing is queued here: a subscription remembers the offset it has sent, and the next delta is cut from
// the topic's log when the socket can take it. A slow socket thereby gets the newest op per key, not all of them (LIVE-20).
import type { Clock } from '@watchroom/shared/kernel'
import type { Position, ServerMessage } from '@watchroom/shared/protocol'

import type { Watcher } from '../polling/contract.ts'
import type { OpenTopic, SharedSnapshot, ToMessage } from './createOpenTopic.ts'
import type { LiveSettings } from './settings.ts'

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

export interface Delivery {
  /** The topic that this subscription gets; undefined when it gets none. */
  readonly topicOf: (id: string) => OpenTopic | undefined
  /** Rows of this topic from now on, from where the client says it is. */
  readonly start: (id: string, topic: OpenTopic, since: Position | null) => void
  readonly stop: (id: string) => void
  /** Sends what is due, as far as the socket takes it. */
  readonly flush: () => void
  /** How long something has been due that the socket does not take. */
  readonly blockedMs: () => number
  readonly tellProblem: (topic: OpenTopic) => void
}

export interface DeliveryDeps {
  readonly clock: Clock
  readonly settings: LiveSettings
  /** Who reads. */
  readonly watcher: () => Watcher | undefined
  readonly send: (message: ServerMessage) => void
  readonly bufferedBytes: () => number
  readonly canUnpack: boolean
  readonly onResult: (result: 'delta' | 'snapshot') => void
  /** A message could not be packed: only an exhausted zlib refuses. */
  readonly onPackingFailed: () => void
}

export function createDelivery(deps: DeliveryDeps): Delivery {
  const { clock, settings, send } = deps
  /** By id. */
  const subscriptions = new Map<string, Subscription>()
  /** Since when something is due that the socket does not take. */
  let blockedSince: number | null = null

  /** Sends a packed message when it is ready; until then the subscription sends nothing else. */
  const sendPacked = async (
    subscription: Subscription,
    packing: Promise<ToMessage>,
    sent: () => void,
  ): Promise<void> => {
    subscription.isPacking = true
    let toMessage: ToMessage
    try {
      toMessage = await packing
    } catch {
      deps.onPackingFailed()
      return
    }
    subscription.isPacking = false
    if (subscriptions.get(subscription.id) !== subscription) return
    send(toMessage(subscription.id))
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
    if (deps.canUnpack) {
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
    const packing = deps.canUnpack ? shared.packed() : null
    const sent = (): void => settle(subscription, delta.to, delta.asOf)
    if (packing) void sendPacked(subscription, packing, sent)
    else {
      send(shared.plain(subscription.id))
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
    let hasMore = true
    while (hasMore) {
      hasMore = false
      for (const subscription of subscriptions.values()) {
        if (!isDue(subscription, settings, clock.monotonic())) continue
        if (deps.bufferedBytes() >= settings.highWaterBytes) {
          blockedSince ??= clock.monotonic()
          return
        }
        // It took what was sent before, however many pages are still to come.
        blockedSince = null
        sendNext(subscription)
        hasMore = true
      }
    }
    blockedSince = null
  }

  const stop = (id: string): void => {
    subscriptions.get(id)?.unwatch()
    subscriptions.delete(id)
  }

  return {
    topicOf: (id) => subscriptions.get(id)?.topic,
    start: (id, topic, since) => {
      stop(id)
      subscriptions.set(id, {
        id,
        topic,
        unwatch: topic.watch(deps.watcher()),
        since,
        paging: null,
        sentOffset: null,
        sentAsOf: 0,
        sentAt: clock.monotonic(),
        isPacking: false,
      })
    },
    stop,
    flush,
    blockedMs: () => (blockedSince === null ? 0 : clock.monotonic() - blockedSince),
    tellProblem: (failing) => {
      for (const { id, topic } of subscriptions.values()) {
        if (topic === failing) send({ type: 'source', id, problem: topic.problem(), now: clock.now() })
      }
    },
  }
}

/** Whether the next message of the subscription is due now. */
function isDue(
  { isPacking, topic, sentOffset, sentAsOf, sentAt }: Subscription,
  settings: LiveSettings,
  now: number,
): boolean {
  const position = topic.table.position()
  if (isPacking || !position) return false
  if (sentOffset !== position.offset) return true
  const idleMs = now - sentAt
  const isConfirmed = topic.table.asOf() > sentAsOf && idleMs >= settings.confirmMs
  return isConfirmed || idleMs >= settings.heartbeatMs
}
