import type { Clock } from '@watchroom/shared/kernel'
import {
  type ResyncReason,
  type TableState,
  type Topic,
  topicAddress,
  topicKey,
  type TopicRow,
} from '@watchroom/shared/protocol'

import type { Inflate, LinkState, OpenSocket, TopicOptions, TopicView } from './contract.ts'
import { createLink } from './createLink.ts'
import { createTopicReader, type TopicReader } from './createTopicReader.ts'
import { createServerClock } from './serverClock.ts'

// The live core of the browser: one link, one reader per watched topic. Free of React and of socket.io.

/** A topic stays subscribed this long after its last reader has left: going to another page and back costs nothing. */
const LINGER_MS = 15_000

export interface LiveClientDeps {
  readonly openSocket: OpenSocket
  readonly clock: Clock
  readonly random: () => number
  readonly inflate: Inflate
  /** Stores the rows. Called with every new set of rows; untouched rows keep their identity. */
  readonly onRows?: (key: readonly unknown[], rows: readonly TopicRow[]) => void
  /** Rows cached earlier under the key, shown until the first answer. */
  readonly knownRows?: (key: readonly unknown[]) => readonly TopicRow[] | undefined
  /** A reader had to start over, and why; for the log. */
  readonly onResync?: (address: string, reason: ResyncReason | 'timeout', detail?: string) => void
}

export interface TopicWatch<Row extends TopicRow> {
  readonly view: () => TopicView<Row>
  readonly onView: (listener: () => void) => () => void
  readonly setOptions: (options: TopicOptions<Row>) => void
  /** Last applied table, for tests and diagnosis. */
  readonly table: () => TableState<Row> | null
  readonly release: () => void
}

export interface LiveClient {
  watch<Params extends Record<string, string>, Row extends TopicRow>(
    topic: Topic<Params, Row>,
    params: Params,
    options?: TopicOptions<Row>,
  ): TopicWatch<Row>
  readonly link: () => LinkState
  readonly onLink: (listener: () => void) => () => void
  /** The roles of the person have changed. */
  readonly onRights: (listener: () => void) => () => void
  /** The gateway's wall clock, estimated. Milliseconds since the epoch. */
  readonly serverNow: () => number
  /** Connects now if the link is down: the network is back, the page is visible, the user signed in. */
  readonly nudge: () => void
  readonly close: () => void
}

interface Entry {
  reader: TopicReader<TopicRow>
  listeners: Set<() => void>
  watchers: number
  cancelLinger: () => void
}

export function createLiveClient(deps: LiveClientDeps): LiveClient {
  const { clock } = deps
  const serverClock = createServerClock(clock)
  const entries = new Map<string, Entry>()
  const routes = new Map<string, TopicReader<TopicRow>>()
  const linkListeners = new Set<() => void>()
  const rightsListeners = new Set<() => void>()
  let subscriptions = 0

  const link = createLink({
    openSocket: deps.openSocket,
    clock,
    random: deps.random,
    onMessage: (message) => {
      if ('now' in message) serverClock.observe(message.now)
      if (message.type === 'rights') {
        for (const { reader } of entries.values()) reader.rightsChanged()
        for (const listener of rightsListeners) listener()
      }
      if ('id' in message) routes.get(message.id)?.receive(message)
    },
    onState: () => {
      // The first state is set while the link is being built: nobody watches yet.
      for (const { reader } of entries.values()) reader.linkChanged()
      for (const listener of linkListeners) listener()
    },
    onSilence: () => {
      for (const { reader } of entries.values()) reader.silenceChanged()
    },
    // The offsets tell which topic lost a message, at the latest with its next heartbeat (LIVE-15).
    onUnreadable: () => undefined,
  })

  const open = (topic: Topic<Record<string, string>, TopicRow>, params: Record<string, string>): Entry => {
    const address = topicAddress(topic.name, params)
    const key = topicKey(topic, params)
    let routed: string | null = null
    const listeners = new Set<() => void>()
    const reader = createTopicReader(topic, params, deps.knownRows?.(key) ?? [], {
      clock,
      random: deps.random,
      inflate: deps.inflate,
      serverNow: serverClock.now,
      link: link.state,
      downMs: link.downMs,
      send: link.send,
      nextId: () => `s${++subscriptions}`,
      route: (id) => {
        if (routed !== null) routes.delete(routed)
        routed = id
        if (id !== null) routes.set(id, reader)
      },
      onRows: (rows) => deps.onRows?.(key, rows),
      onView: () => {
        for (const listener of listeners) listener()
      },
      onResync: (reason, detail) => deps.onResync?.(address, reason, detail),
    })
    const entry: Entry = { reader, listeners, watchers: 0, cancelLinger: () => undefined }
    entries.set(address, entry)
    reader.linkChanged()
    return entry
  }

  return {
    watch: <Params extends Record<string, string>, Row extends TopicRow>(
      topic: Topic<Params, Row>,
      params: Params,
      options?: TopicOptions<Row>,
    ) => {
      const address = topicAddress(topic.name, params)
      const entry = entries.get(address) ?? open(topic as unknown as Topic<Record<string, string>, TopicRow>, params)
      // One address has one definition of its topic, hence one type of row.
      const reader = entry.reader as unknown as TopicReader<Row>
      entry.watchers += 1
      entry.cancelLinger()
      if (options) reader.setOptions(options)
      let isReleased = false
      return {
        view: reader.view,
        table: reader.table,
        setOptions: reader.setOptions,
        onView: (listener) => {
          entry.listeners.add(listener)
          return () => entry.listeners.delete(listener)
        },
        release: () => {
          if (isReleased) return
          isReleased = true
          entry.watchers -= 1
          if (entry.watchers > 0) return
          const leave = (): void => {
            entry.reader.close()
            entries.delete(address)
          }
          entry.cancelLinger = clock.schedule(leave, topic.isLeftAtOnce ? 0 : LINGER_MS)
        },
      }
    },
    link: link.state,
    onLink: (listener) => {
      linkListeners.add(listener)
      return () => linkListeners.delete(listener)
    },
    onRights: (listener) => {
      rightsListeners.add(listener)
      return () => rightsListeners.delete(listener)
    },
    serverNow: serverClock.now,
    nudge: link.nudge,
    close: () => {
      for (const entry of entries.values()) {
        entry.cancelLinger()
        entry.reader.close()
      }
      entries.clear()
      link.close()
    },
  }
}
