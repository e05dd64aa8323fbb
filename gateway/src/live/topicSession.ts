import type { Resource } from '@watchroom/shared/access'
import { assertNever, type Clock, createRateLimit } from '@watchroom/shared/kernel'
import {
  ClientMessageSchema,
  CLOSE_CODES,
  type CloseName,
  PROTOCOL_VERSION,
  type ServerMessage,
} from '@watchroom/shared/protocol'

import { createDelivery, type DeliveryDeps } from './createDelivery.ts'
import type { OpenTopic } from './createOpenTopic.ts'
import { createSubscriptions, type SubscriptionsDeps } from './createSubscriptions.ts'
import { liveErrors } from './errors.ts'
import type { LiveSettings } from './settings.ts'

// One socket's part of the protocol: what its client says goes to `createSubscriptions`, what it gets comes from `createDelivery`.

/** A tick that comes this much early still beats: the next one would be late. */
const TICK_SLACK_MS = 100

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
  /** What the backend is asked about: where the rows come from, and what they quote. */
  readonly sources: readonly [string, ...string[]]
  /** The call besides that it must take from them. */
  readonly door: string | undefined
}

export interface TopicSessionDeps
  extends Pick<SubscriptionsDeps, 'enterSubscription' | 'find'>, Pick<DeliveryDeps, 'watcher'> {
  readonly clock: Clock
  readonly settings: LiveSettings
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
  /**
   * Rights may have changed: topics that may no longer be read are left, and those that show other rows now start over with them.
   *
   * @param maxAgeMs oldest answer about them to accept
   */
  readonly recheckRights: (maxAgeMs?: number) => void
  readonly tellProblem: (topic: OpenTopic) => void
  /** Says why and ends the socket. */
  readonly end: (reason: CloseName, message: string, retryMs?: number) => void
  readonly close: () => void
  readonly bufferedBytes: () => number
}

export function createTopicSession(port: SessionPort, deps: TopicSessionDeps): TopicSession {
  const { clock, settings } = deps
  let isClosed = false
  const ownMessages = createRateLimit(clock, {
    perSecond: settings.messagesPerSecond,
    burst: settings.messageBurst,
  })
  let sentAt = clock.monotonic()

  const send = (message: ServerMessage): void => {
    sentAt = clock.monotonic()
    port.send(message)
  }

  const delivery = createDelivery({
    clock,
    settings,
    watcher: deps.watcher,
    send,
    bufferedBytes: port.bufferedBytes,
    canUnpack: port.canUnpack,
    onResult: deps.onResult,
    // A socket that starts over may find zlib recovered.
    onPackingFailed: () => end('epochChanging', liveErrors.LIVE_PACKING_FAILED.message),
  })
  const subscriptions = createSubscriptions({
    clock,
    settings,
    delivery,
    send,
    enterSubscription: deps.enterSubscription,
    find: deps.find,
    onDenied: () => deps.onResult('denied'),
  })

  const close = (): void => {
    if (isClosed) return
    isClosed = true
    subscriptions.close()
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

  const receive = (raw: unknown): void => {
    if (isClosed) return
    if (!ownMessages.tryTake()) return end('rateExceeded', liveErrors.LIVE_RATE_EXCEEDED.message)
    const { success, data: message } = ClientMessageSchema.safeParse(raw)
    if (!success) return end('badMessage', liveErrors.LIVE_MESSAGE_UNREADABLE.message)
    switch (message.type) {
      case 'subscribe':
        return subscriptions.subscribe(message)
      case 'unsubscribe':
        return subscriptions.unsubscribe(message.id)
      case 'refresh':
        return delivery.topicOf(message.id)?.wake()
      default:
        assertNever(message, 'client message')
    }
  }

  const tick = (): void => {
    if (isClosed) return
    delivery.flush()
    if (delivery.blockedMs() >= settings.cutMs || port.bufferedBytes() > settings.cutBytes) {
      return end('tooSlow', liveErrors.LIVE_TOO_SLOW.message)
    }
    const isSilent = clock.monotonic() - sentAt >= settings.beatMs - TICK_SLACK_MS
    if (isSilent && port.bufferedBytes() < settings.highWaterBytes) send({ type: 'beat', now: clock.now() })
  }

  send({ type: 'welcome', version: PROTOCOL_VERSION, now: clock.now(), beatMs: settings.beatMs })
  return {
    receive,
    flush: delivery.flush,
    tick,
    recheckRights: subscriptions.recheck,
    tellProblem: delivery.tellProblem,
    end,
    close,
    bufferedBytes: port.bufferedBytes,
  }
}
