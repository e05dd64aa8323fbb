import { type Clock, createTimer } from '@watchroom/shared/kernel'
import { type Topic, topicAddress, type TopicName, type TopicRow, TOPICS } from '@watchroom/shared/protocol'

import type { Metrics } from '../platform/metrics.ts'
import type { Feed, Feeds } from '../polling/contract.ts'
import { createOpenTopic, type Deflate, type OpenTopic } from './createOpenTopic.ts'
import { LIVE_SETTINGS, type LiveSettings } from './settings.ts'
import {
  createTopicSession,
  type MayRead,
  type SessionPort,
  type TopicSession,
  type TopicSessionDeps,
} from './topicSession.ts'

// All open topics and all sessions of this gateway. Knows nothing of Socket.IO or HTTP; tests drive it with queues.

/** How often sessions look for beats, heartbeats and slow readers that are due. */
const TICK_MS = 1_000

export interface TopicHubDeps {
  readonly feeds: Feeds
  readonly clock: Clock
  /** Names an epoch. Every table gets another one, so positions of an earlier process never fit by chance. */
  readonly newEpoch: () => string
  readonly metrics: LiveMetrics
  readonly deflate: Deflate
  readonly settings?: Partial<LiveSettings>
}

export interface TopicHub {
  readonly openSession: (port: SessionPort, access: SessionAccess) => TopicSession
  readonly sessions: () => ReadonlySet<TopicSession>
  readonly topics: () => Iterable<OpenTopic>
  readonly wake: (topicName?: TopicName) => void
  readonly close: () => void
}

/** What the person or device behind a socket may. */
export type SessionAccess = Pick<TopicSessionDeps, 'mayRead' | 'enterSubscription' | 'onCut'>

export interface LiveMetrics {
  readonly resumes: ReturnType<Metrics['counter']>
  readonly cuts: ReturnType<Metrics['counter']>
  readonly rechecks: ReturnType<Metrics['counter']>
}

export function createLiveMetrics(metrics: Metrics): LiveMetrics {
  return {
    resumes: metrics.counter({
      name: 'watchroom_resume_total',
      help: 'Answers to subscriptions, by result: delta, snapshot or denied.',
      labelNames: ['result'],
    }),
    cuts: metrics.counter({
      name: 'watchroom_socket_cut_total',
      help: 'Sockets that the gateway ended, by close code.',
      labelNames: ['code'],
    }),
    rechecks: metrics.counter({
      name: 'watchroom_auth_recheck_total',
      help: 'Later look-ups of the session of an open socket, by result.',
      labelNames: ['result'],
    }),
  }
}

type AnyTopic = Topic<Record<string, string>, TopicRow>
type AnyFeed = (params: Record<string, string>) => Feed<TopicRow>

export type TopicLookup = { ok: true; topic: OpenTopic } | { ok: false; reason: 'unknown' | 'forbidden' | 'full' }

export function createTopicHub(deps: TopicHubDeps): TopicHub {
  const { clock } = deps
  const settings: LiveSettings = { ...LIVE_SETTINGS, ...deps.settings }
  const topics = new Map<string, OpenTopic>()
  const sessions = new Set<TopicSession>()
  const flushTimer = createTimer(clock)
  const tickTimer = createTimer(clock)

  let flushedAt = -Infinity

  const flushAll = (): void => {
    flushedAt = clock.monotonic()
    for (const session of sessions) session.flush()
  }

  /**
   * One flush for all sessions: they are at the same offset then, and share the encoded delta. The first change goes at
   * once; those that follow closely wait and go together.
   */
  const scheduleFlush = (): void => {
    if (flushTimer.isSet()) return
    flushTimer.set(flushAll, Math.max(0, flushedAt + settings.flushMs - clock.monotonic()))
  }

  const tick = (): void => {
    for (const session of sessions) session.tick()
    tickTimer.set(tick, TICK_MS)
  }
  tickTimer.set(tick, TICK_MS)

  /** Who may not read a topic does not open it either: an open topic with parameters reads its source. */
  const find = (name: string, rawParams: Record<string, string>, mayRead: MayRead): TopicLookup => {
    if (!Object.hasOwn(TOPICS, name)) return { ok: false, reason: 'unknown' }
    const topic = TOPICS[name as TopicName] as unknown as AnyTopic
    const params = topic.params.safeParse(rawParams)
    if (!params.success) return { ok: false, reason: 'unknown' }
    const address = topicAddress(name, params.data)
    if (!mayRead({ resource: topic.resource, address })) return { ok: false, reason: 'forbidden' }
    const known = topics.get(address)
    if (known) return { ok: true, topic: known }
    if (topics.size >= settings.maxTopics) return { ok: false, reason: 'full' }
    return { ok: true, topic: open(address, topic, params.data) }
  }

  const open = (address: string, topic: AnyTopic, params: Record<string, string>): OpenTopic => {
    const feed = (deps.feeds[topic.name as TopicName] as unknown as AnyFeed)(params)
    const opened = createOpenTopic(address, topic, feed, {
      clock,
      settings,
      deflate: deps.deflate,
      epoch: deps.newEpoch(),
      onRead: scheduleFlush,
      onProblem: () => {
        for (const session of sessions) session.tellProblem(opened)
      },
    })
    const idleTimer = createTimer(clock)
    const hasParams = Object.keys(params).length > 0
    let watchers = 0
    const counted: OpenTopic = {
      ...opened,
      watch: () => {
        const unwatch = opened.watch()
        watchers += 1
        idleTimer.clear()
        return () => {
          unwatch()
          watchers -= 1
          if (watchers === 0 && hasParams) idleTimer.set(() => retire(counted), settings.idleTopicMs)
        }
      },
      close: () => {
        idleTimer.clear()
        opened.close()
      },
    }
    topics.set(address, counted)
    return counted
  }

  const retire = (topic: OpenTopic): void => {
    topics.delete(topic.address)
    topic.close()
  }

  // Topics without parameters are open from the start: their tables are warm when the first reader comes.
  for (const name of Object.keys(TOPICS)) find(name, {}, () => true)

  return {
    openSession: (port, { mayRead, enterSubscription, onCut }) => {
      const session = createTopicSession(port, {
        clock,
        settings,
        mayRead,
        enterSubscription,
        find: (name, params) => find(name, params, mayRead),
        onResult: (result) => deps.metrics.resumes.inc({ result }),
        onCut: (code) => {
          deps.metrics.cuts.inc({ code })
          onCut(code)
        },
        onClose: () => sessions.delete(session),
      })
      sessions.add(session)
      return session
    },
    sessions: () => sessions,
    topics: () => topics.values(),
    wake: (topicName) => {
      for (const topic of topics.values()) if (topicName === undefined || topic.name === topicName) topic.wake()
    },
    close: () => {
      flushTimer.clear()
      tickTimer.clear()
      for (const session of sessions) session.close()
      for (const topic of topics.values()) topic.close()
      topics.clear()
    },
  }
}
