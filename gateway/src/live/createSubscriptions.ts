// What the client of one socket subscribed to, granted or not. Others decide who may see it, and are asked again when rights change.
import { backoffMs, type Clock, createTimer } from '@watchroom/shared/kernel'
import type { ClientMessage, Position, ServerMessage } from '@watchroom/shared/protocol'

import type { Delivery } from './createDelivery.ts'
import type { OpenTopic } from './createOpenTopic.ts'
import { liveErrors } from './errors.ts'
import type { LiveSettings } from './settings.ts'

export type TopicLookup =
  | { readonly ok: true; readonly topic: OpenTopic }
  /** `detail`: what the backend said. */
  | { readonly ok: false; readonly reason: 'forbidden'; readonly detail: string | null }
  | { readonly ok: false; readonly reason: 'unknown' | 'missing' }
  /** There is no room for rows of one's own. */
  | { readonly ok: false; readonly reason: 'full' }
type Refused = Extract<TopicLookup, { ok: false }>

/** At once where it is known who may see it. Rejects when nobody can say. */
export type FoundTopic = TopicLookup | Promise<TopicLookup>

interface Subscription {
  readonly id: string
  readonly name: string
  readonly params: Record<string, string>
  readonly since: Position | null
  /** Gives the subscription's place back. */
  readonly leave: () => void
  /** The latest question who may see it; older ones count for nothing. */
  question: number
  /** For what it waits, which the client was told: for someone who can say who may see it, or for room for rows of one's own. */
  waitsFor: 'answer' | 'room' | null
}

export interface Subscriptions {
  readonly subscribe: (message: Extract<ClientMessage, { type: 'subscribe' }>) => void
  readonly unsubscribe: (id: string) => void
  /** Rights may have changed. @param maxAgeMs oldest answer to accept */
  readonly recheck: (maxAgeMs?: number) => void
  readonly close: () => void
}

export interface SubscriptionsDeps {
  readonly clock: Clock
  readonly settings: LiveSettings
  readonly delivery: Delivery
  readonly send: (message: ServerMessage) => void
  /** Takes one of the subscriptions that this person may have over all sockets; null when there is none left. */
  readonly enterSubscription: () => (() => void) | null
  /** Opens the topic as this person may see it. */
  readonly find: (name: string, params: Record<string, string>, maxAgeMs?: number) => FoundTopic
  readonly onDenied: () => void
}

/** Between two questions that nobody answers, at most. */
const MAX_RETRY_MS = 5_000
/** An answer from before tells enough for someone who waits for room. */
const WAITING_AGE_MS = 30_000

const NOT_FOUND = {
  unknown: liveErrors.LIVE_TOPIC_UNKNOWN,
  forbidden: liveErrors.LIVE_TOPIC_FORBIDDEN,
  missing: liveErrors.LIVE_TOPIC_NOT_OFFERED,
} as const

const WAITS = { answer: liveErrors.LIVE_RIGHTS_UNCONFIRMED, room: liveErrors.LIVE_NO_ROOM } as const

function toRefusal(found: Exclude<Refused, { reason: 'full' }>): { code: string; message: string } {
  const { code, message } = NOT_FOUND[found.reason]
  const detail = found.reason === 'forbidden' ? found.detail : null
  return { code, message: detail ? `${message}: ${detail}` : message }
}

export function createSubscriptions(deps: SubscriptionsDeps): Subscriptions {
  const { clock, settings, delivery, send } = deps
  /** By id. */
  const subscriptions = new Map<string, Subscription>()
  const retryTimer = createTimer(clock)
  let failures = 0
  let retryAt = 0

  const drop = (id: string): void => {
    delivery.stop(id)
    subscriptions.get(id)?.leave()
    subscriptions.delete(id)
  }

  const deny = (id: string, { code, message }: { code: string; message: string }): void => {
    drop(id)
    deps.onDenied()
    send({ type: 'denied', id, code, message })
  }

  /** Finds out how the topic may be seen, now or anew. Where nobody could say, no answer from before will do. */
  const ask = (subscription: Subscription, maxAgeMs?: number): void => {
    const question = ++subscription.question
    const isCurrent = (): boolean =>
      subscriptions.get(subscription.id) === subscription && subscription.question === question
    const found = deps.find(subscription.name, subscription.params, subscription.waitsFor === 'answer' ? 0 : maxAgeMs)
    if (!(found instanceof Promise)) return grant(subscription, found)
    void found.then(
      (lookup) => {
        if (isCurrent()) grant(subscription, lookup)
      },
      () => {
        if (isCurrent()) wait(subscription, 'answer')
      },
    )
  }

  const grant = (subscription: Subscription, found: TopicLookup): void => {
    const { id, since, waitsFor } = subscription
    if (!found.ok) {
      if (found.reason === 'full') return wait(subscription, 'room')
      return deny(id, toRefusal(found))
    }
    subscription.waitsFor = null
    failures = 0
    const before = delivery.topicOf(id)
    if (before === found.topic) return
    // The client's position means nothing for another feed's rows.
    delivery.start(id, found.topic, before ? null : since)
    const problem = found.topic.problem()
    if (problem || before || waitsFor) send({ type: 'source', id, problem, now: clock.now() })
    delivery.flush()
  }

  /**
   * Who sees rows already keeps them until someone can say whether they may; nobody sees more than before meanwhile. Who may see rows of
   * their own alone, for which there is no room, sees none until there is: their page reads by itself.
   */
  const wait = (subscription: Subscription, waitsFor: NonNullable<Subscription['waitsFor']>): void => {
    const { code, message } = WAITS[waitsFor]
    subscription.waitsFor = waitsFor
    if (waitsFor === 'room') delivery.stop(subscription.id)
    if (!retryTimer.isSet()) {
      failures += 1
      const waitMs = backoffMs(failures, { firstMs: settings.sightRetryMs, maxMs: MAX_RETRY_MS })
      retryAt = clock.now() + waitMs
      retryTimer.set(() => {
        for (const each of subscriptions.values()) if (each.waitsFor !== null) ask(each, WAITING_AGE_MS)
      }, waitMs)
    }
    if (delivery.topicOf(subscription.id)) return
    const problem = { code, message, consecutiveFailures: failures, nextAttemptAt: retryAt }
    send({ type: 'source', id: subscription.id, problem, now: clock.now() })
  }

  return {
    subscribe: ({ id, topic: name, params, since = null }) => {
      drop(id)
      const leave = subscriptions.size < settings.maxSubscriptions ? deps.enterSubscription() : null
      if (!leave) return deny(id, liveErrors.LIVE_TOO_MANY_TOPICS)
      const subscription: Subscription = { id, name, params, since, leave, question: 0, waitsFor: null }
      subscriptions.set(id, subscription)
      ask(subscription)
    },
    unsubscribe: drop,
    recheck: (maxAgeMs) => {
      for (const subscription of subscriptions.values()) ask(subscription, maxAgeMs)
    },
    close: () => {
      retryTimer.clear()
      for (const id of subscriptions.keys()) drop(id)
    },
  }
}
