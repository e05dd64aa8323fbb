import { type Clock, createTimer } from '@watchroom/shared/kernel'
import { type Topic, topicAddress, type TopicName, type TopicRow, TOPICS } from '@watchroom/shared/protocol'

import type { Metrics } from '../platform/metrics.ts'
import type { Feed, Feeds, PolledFeeds } from '../polling/contract.ts'
import { createOpenTopic, type Deflate, type OpenTopic } from './createOpenTopic.ts'
import { LIVE_SETTINGS, type LiveSettings } from './settings.ts'
import {
  createTopicSession,
  type FoundTopic,
  type Readable,
  type SessionPort,
  type TopicLookup,
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
  /** The rows behind topics of this name changed; behind the one with these parameters, where they are given. */
  readonly wake: (topicName?: TopicName, params?: Record<string, string>) => void
  readonly close: () => void
}

/** What somebody may read of a topic. */
export type TopicSight =
  | { readonly kind: 'shared' }
  /** Other rows than the gateway sees: by feeds of their own. */
  | { readonly kind: 'personal'; readonly owner: string; readonly feeds: PolledFeeds }
  | { readonly kind: 'forbidden'; readonly reason: string | null }

/** What the person or device behind a socket may. */
export interface SessionAccess extends Pick<TopicSessionDeps, 'enterSubscription' | 'onCut'> {
  /** At once where it is known. Rejects when nobody can say. */
  readonly look: (topic: Readable) => TopicSight | Promise<TopicSight>
}

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
  const find = (name: string, rawParams: Record<string, string>, look: SessionAccess['look']): FoundTopic => {
    if (!Object.hasOwn(TOPICS, name)) return { ok: false, reason: 'unknown' }
    const topic = TOPICS[name as TopicName] as unknown as AnyTopic
    const params = topic.params.safeParse(rawParams)
    if (!params.success) return { ok: false, reason: 'unknown' }
    const address = topicAddress(name, params.data)
    const sight = look({ resource: topic.resource(params.data), address, source: topic.source(params.data) })
    const enter = (known: TopicSight): TopicLookup => openFor(known, address, topic, params.data)
    return sight instanceof Promise ? sight.then(enter) : enter(sight)
  }

  const openFor = (
    sight: TopicSight,
    address: string,
    topic: AnyTopic,
    params: Record<string, string>,
  ): TopicLookup => {
    if (sight.kind === 'forbidden') return { ok: false, reason: 'forbidden', detail: sight.reason }
    const isShared = sight.kind === 'shared'
    const owner = isShared ? null : sight.owner
    const key = owner === null ? address : `${owner} ${address}`
    const known = topics.get(key)
    if (known) return { ok: true, topic: known }
    const feeds: Partial<Feeds> = isShared ? deps.feeds : sight.feeds
    const openFeed = feeds[topic.name as TopicName] as AnyFeed | undefined
    // What is made of shared rows alone is nothing for somebody who may not see all of them.
    if (!openFeed) return { ok: false, reason: 'forbidden', detail: null }
    const personal = [...topics.values()].filter((each) => each.owner !== null).length
    if (topics.size >= settings.maxTopics || (!isShared && personal >= settings.maxPersonalTopics)) {
      return { ok: false, reason: 'full' }
    }
    // Topics of everybody without parameters stay: their tables are warm when the first reader comes.
    const idleMs = !isShared ? 0 : Object.keys(params).length > 0 ? settings.idleTopicMs : Infinity
    return { ok: true, topic: open(key, address, topic, openFeed(params), { owner, idleMs }) }
  }

  const open = (
    key: string,
    address: string,
    topic: AnyTopic,
    feed: Feed<TopicRow>,
    { owner, idleMs }: { readonly owner: string | null; readonly idleMs: number },
  ): OpenTopic => {
    const opened = createOpenTopic(address, topic, feed, {
      clock,
      settings,
      owner,
      deflate: deps.deflate,
      epoch: deps.newEpoch(),
      onRead: scheduleFlush,
      onProblem: () => {
        for (const session of sessions) session.tellProblem(counted)
      },
    })
    const idleTimer = createTimer(clock)
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
          if (watchers === 0 && idleMs < Infinity) idleTimer.set(() => retire(key, counted), idleMs)
        }
      },
      close: () => {
        idleTimer.clear()
        opened.close()
      },
    }
    topics.set(key, counted)
    return counted
  }

  const retire = (key: string, topic: OpenTopic): void => {
    topics.delete(key)
    topic.close()
  }

  // Open from the start, for the first reader.
  for (const name of Object.keys(TOPICS)) void find(name, {}, () => SHARED)

  return {
    openSession: (port, { look, enterSubscription, onCut }) => {
      const session = createTopicSession(port, {
        clock,
        settings,
        enterSubscription,
        find: (name, params) => find(name, params, look),
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
    wake: (topicName, params) => {
      const address = topicName && params && topicAddress(topicName, params)
      for (const topic of topics.values()) {
        if (address === undefined ? topicName === undefined || topic.name === topicName : topic.address === address)
          topic.wake()
      }
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

const SHARED: TopicSight = { kind: 'shared' }
