import { createTimer } from '@watchroom/shared/kernel'

import type { Metrics } from '../platform/metrics.ts'
import { createOpenTopics, type Look, type OpenTopics, type OpenTopicsDeps } from './createOpenTopics.ts'
import { LIVE_SETTINGS, type LiveSettings } from './settings.ts'
import { createTopicSession, type SessionPort, type TopicSession, type TopicSessionDeps } from './topicSession.ts'

// All open topics and all sessions of this gateway. Knows nothing of Socket.IO or HTTP; tests drive it with queues.

/** How often sessions look for beats, heartbeats and slow readers that are due. */
const TICK_MS = 1_000

export interface TopicHubDeps extends Omit<OpenTopicsDeps, 'settings' | 'onRead' | 'onProblem'> {
  readonly metrics: LiveMetrics
  readonly settings?: Partial<LiveSettings>
}

export interface TopicHub {
  readonly openSession: (port: SessionPort, access: SessionAccess) => TopicSession
  readonly sessions: () => ReadonlySet<TopicSession>
  readonly topics: OpenTopics['all']
  readonly wake: OpenTopics['wake']
  readonly close: () => void
}

/** What the person or device behind a socket may. */
export interface SessionAccess extends Pick<TopicSessionDeps, 'enterSubscription' | 'onCut' | 'watcher'> {
  readonly look: Look
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

export function createTopicHub(deps: TopicHubDeps): TopicHub {
  const { clock } = deps
  const settings: LiveSettings = { ...LIVE_SETTINGS, ...deps.settings }
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

  const topics = createOpenTopics({
    ...deps,
    settings,
    onRead: scheduleFlush,
    onProblem: (topic) => {
      for (const session of sessions) session.tellProblem(topic)
    },
  })

  const tick = (): void => {
    for (const session of sessions) session.tick()
    tickTimer.set(tick, TICK_MS)
  }
  tickTimer.set(tick, TICK_MS)

  return {
    openSession: (port, { look, enterSubscription, onCut, watcher }) => {
      const session = createTopicSession(port, {
        clock,
        settings,
        enterSubscription,
        watcher,
        find: (name, params, maxAgeMs) => topics.find(name, params, look, maxAgeMs),
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
    topics: topics.all,
    wake: topics.wake,
    close: () => {
      flushTimer.clear()
      tickTimer.clear()
      for (const session of sessions) session.close()
      topics.close()
    },
  }
}
