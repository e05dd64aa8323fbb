// All topics that are open in this gateway: opened for the first who may see them, closed when nobody watches.
import { type Clock, createTimer } from '@watchroom/shared/kernel'
import { type Topic, topicAddress, type TopicName, type TopicRow, TOPICS } from '@watchroom/shared/protocol'

import type { Feed, Feeds, PolledFeeds } from '../polling/contract.ts'
import { createOpenTopic, type Deflate, type OpenTopic } from './createOpenTopic.ts'
import type { FoundTopic, TopicLookup } from './createSubscriptions.ts'
import type { LiveSettings } from './settings.ts'
import type { Readable } from './topicSession.ts'

/** What someone may read of a topic. */
export type TopicSight =
  | { readonly kind: 'shared' }
  /** Other rows than the gateway sees: by feeds of their own. */
  | { readonly kind: 'personal'; readonly owner: string; readonly feeds: PolledFeeds }
  | { readonly kind: 'forbidden'; readonly reason: string | null }
  /** The backend has nothing of the kind. */
  | { readonly kind: 'missing' }

/** At once where it is known. Rejects when nobody can say. */
export type Look = (topic: Readable, maxAgeMs?: number) => TopicSight | Promise<TopicSight>

export interface OpenTopics {
  /** The topic as whoever looks may see it. */
  readonly find: (name: string, params: Record<string, string>, look: Look, maxAgeMs?: number) => FoundTopic
  readonly all: () => Iterable<OpenTopic>
  /** The rows behind topics of this name changed; behind the one with these parameters, where they are given. */
  readonly wake: (topicName?: TopicName, params?: Record<string, string>) => void
  readonly close: () => void
}

export interface OpenTopicsDeps {
  readonly feeds: Feeds
  readonly clock: Clock
  readonly settings: LiveSettings
  /** Names an epoch. Every table gets another one, so positions of an earlier process never fit by chance. */
  readonly newEpoch: () => string
  readonly deflate: Deflate
  readonly onRead: () => void
  readonly onProblem: (topic: OpenTopic) => void
}

type AnyTopic = Topic<Record<string, string>, TopicRow>
type AnyFeed = (params: Record<string, string>) => Feed<TopicRow>

export function createOpenTopics(deps: OpenTopicsDeps): OpenTopics {
  const { clock, settings } = deps
  const topics = new Map<string, OpenTopic>()

  /** Who may not read a topic does not open it either: an open topic with parameters reads its source. */
  const find = (name: string, rawParams: Record<string, string>, look: Look, maxAgeMs?: number): FoundTopic => {
    if (!Object.hasOwn(TOPICS, name)) return { ok: false, reason: 'unknown' }
    const topic = TOPICS[name as TopicName] as unknown as AnyTopic
    const params = topic.params.safeParse(rawParams)
    if (!params.success) return { ok: false, reason: 'unknown' }
    const address = topicAddress(name, params.data)
    const sources = [topic.source(params.data), ...(topic.quotes ?? [])] as const
    const sight = look({ resource: topic.resource(params.data), address, sources, door: topic.door }, maxAgeMs)
    const enter = (known: TopicSight): TopicLookup => openFor(known, address, topic, params.data)
    return sight instanceof Promise ? sight.then(enter) : enter(sight)
  }

  const openFor = (
    sight: TopicSight,
    address: string,
    topic: AnyTopic,
    params: Record<string, string>,
  ): TopicLookup => {
    if (sight.kind === 'missing') return { ok: false, reason: 'missing' }
    if (sight.kind === 'forbidden') return { ok: false, reason: 'forbidden', detail: sight.reason }
    const isShared = sight.kind === 'shared'
    const owner = isShared ? null : sight.owner
    const key = owner === null ? address : `${owner} ${address}`
    const known = topics.get(key)
    if (known) return { ok: true, topic: known }
    const feeds: Partial<Feeds> = isShared ? deps.feeds : sight.feeds
    const openFeed = feeds[topic.name as TopicName] as AnyFeed | undefined
    // What is made of shared rows alone is nothing for someone who may not see all of them.
    if (!openFeed) return { ok: false, reason: 'forbidden', detail: null }
    if (topics.size >= settings.maxTopics || (owner !== null && !hasRoomFor(owner)))
      return { ok: false, reason: 'full' }
    // Topics of everyone that choose nothing stay: their tables are warm when the first reader comes.
    const choosesOne = Object.values(params).some((value) => value !== '')
    const idleMs = !isShared ? 0 : choosesOne ? settings.idleTopicMs : Infinity
    return { ok: true, topic: open(key, address, topic, openFeed(params), { owner, idleMs }) }
  }

  const hasRoomFor = (owner: string): boolean => {
    const owners = [...topics.values()].flatMap((topic) => topic.owner ?? [])
    const own = owners.filter((each) => each === owner)
    return owners.length < settings.maxPersonalTopics && own.length < settings.maxPersonalTopicsPerOwner
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
      onRead: deps.onRead,
      onProblem: () => deps.onProblem(counted),
    })
    const idleTimer = createTimer(clock)
    const retireWhenIdle = (): void => {
      if (idleMs < Infinity) idleTimer.set(() => retire(key, counted), idleMs)
    }
    let watchers = 0
    const counted: OpenTopic = {
      ...opened,
      watch: (who) => {
        const unwatch = opened.watch(who)
        watchers += 1
        idleTimer.clear()
        return () => {
          unwatch()
          watchers -= 1
          if (watchers === 0) retireWhenIdle()
        }
      },
      close: () => {
        idleTimer.clear()
        opened.close()
      },
    }
    topics.set(key, counted)
    // Whoever it is opened for may have left while the backend was asked what they may see.
    retireWhenIdle()
    return counted
  }

  const retire = (key: string, topic: OpenTopic): void => {
    topics.delete(key)
    topic.close()
  }

  // Open from the start, for the first reader.
  for (const name of Object.keys(TOPICS)) void find(name, {}, () => ({ kind: 'shared' }))

  return {
    find,
    all: () => topics.values(),
    wake: (topicName, params) => {
      const address = topicName && params && topicAddress(topicName, params)
      for (const topic of topics.values()) {
        if (address === undefined ? topicName === undefined || topic.name === topicName : topic.address === address)
          topic.wake()
      }
    },
    close: () => {
      for (const topic of topics.values()) topic.close()
      topics.clear()
    },
  }
}
