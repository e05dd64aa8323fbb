// Real hub, real sessions, real clients; only time, the wire and the source are the test's.
import { deflateRawSync, inflateRawSync } from 'node:zlib'

import type { CheckSummary } from '@watchroom/shared/health'
import { type SourceProblem, TOPICS } from '@watchroom/shared/protocol'

import {
  createLiveMetrics,
  createTopicHub,
  type TopicHub,
  type TopicHubDeps,
} from '../../gateway/src/live/createTopicHub.ts'
import type { TopicSession } from '../../gateway/src/live/topicSession.ts'
import { createMetrics } from '../../gateway/src/platform/metrics.ts'
import type { Feed, FeedListener, Feeds, SourceRead } from '../../gateway/src/polling/contract.ts'
import type { SocketHandlers } from '../../web/src/live/contract.ts'
import { createLiveClient, type LiveClient, type LiveClientDeps } from '../../web/src/live/createLiveClient.ts'
import type { FakeClock } from './fakeClock.ts'
import { createSocketPair, type SocketPair } from './socketPair.ts'

/** A source whose rows a test decides. */
export class ManualFeed<Row> implements Feed<Row> {
  readonly freshForMs: number
  readonly #listeners = new Set<FeedListener<Row>>()
  #problem: SourceProblem | null = null
  watchers = 0
  wakes = 0

  constructor(freshForMs = 10_000) {
    this.freshForMs = freshForMs
  }

  problem = (): SourceProblem | null => this.#problem
  listen = (listener: FeedListener<Row>): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }
  watch = (): (() => void) => {
    this.watchers += 1
    return () => {
      this.watchers -= 1
    }
  }
  wake = (): void => {
    this.wakes += 1
  }
  close = (): void => this.#listeners.clear()

  publish(read: SourceRead<Row>): void {
    this.#problem = null
    for (const listener of this.#listeners) listener.onRead(read)
  }

  publishAll(rows: readonly Row[], asOf: number): void {
    this.publish({ kind: 'all', rows, asOf, droppedRows: 0 })
  }

  fail(problem: SourceProblem | null): void {
    this.#problem = problem
    for (const listener of this.#listeners) listener.onProblem(problem)
  }
}

/** Topics that this world does not look at: nobody ever publishes. */
const SILENT_FEEDS = Object.fromEntries(
  Object.keys(TOPICS).map((name) => [name, () => new ManualFeed()]),
) as never as Feeds

export interface Wire {
  readonly pair: SocketPair
  readonly session: () => TopicSession
  /** What the session is told of unsent bytes. */
  bufferedBytes: number
  /** Everything the server sent, as it would be on the wire. */
  readonly sent: unknown[]
}

export interface LiveWorldOptions {
  readonly clock: FakeClock
  readonly settings?: TopicHubDeps['settings']
  readonly canUnpack?: boolean
  readonly random?: () => number
  readonly mayRead?: () => boolean
  /** How long rows count as fresh. */
  readonly freshForMs?: number
  readonly onResync?: LiveClientDeps['onResync']
}

/** A gateway's hub with any number of clients. */
export class LiveWorld {
  readonly checks: ManualFeed<CheckSummary>
  readonly clients: LiveClient[] = []
  readonly wires = new Map<LiveClient, Wire | null>()
  /** New sockets are refused while false, as when the gateway is away. */
  isUp = true
  hub: TopicHub
  readonly #options: LiveWorldOptions
  #epochs = 0

  constructor(options: LiveWorldOptions) {
    this.#options = options
    this.checks = new ManualFeed(options.freshForMs)
    this.hub = this.#createHub()
  }

  #createHub(): TopicHub {
    const { clock, settings } = this.#options
    return createTopicHub({
      feeds: { ...SILENT_FEEDS, checks: () => this.checks },
      clock,
      newEpoch: () => `e${++this.#epochs}`,
      metrics: createLiveMetrics(createMetrics({ process: false })),
      deflate: (text) => Promise.resolve(deflateRawSync(text)),
      ...(settings ? { settings } : {}),
    })
  }

  /** As after a crash: every socket is gone, and so are tables and positions. */
  restart(): void {
    for (const wire of this.wires.values()) wire?.pair.cut()
    this.hub.close()
    this.checks.close()
    this.hub = this.#createHub()
  }

  addClient(deps: Partial<LiveClientDeps> = {}): LiveClient {
    const { clock, random = () => 0.5, onResync } = this.#options
    let client: LiveClient | null = null
    const created = createLiveClient({
      clock,
      random,
      inflate: (data) => inflateRawSync(data).toString('utf8'),
      openSocket: (handlers) => this.#open(handlers, (wire) => client !== null && this.wires.set(client, wire)),
      ...(onResync ? { onResync } : {}),
      ...deps,
    })
    client = created
    this.clients.push(created)
    this.wires.set(created, this.#latest)
    return created
  }

  /** The wire opened last: a client opens its first before it exists as a value. */
  #latest: Wire | null = null

  wireOf(client: LiveClient): Wire {
    const wire = this.wires.get(client)
    if (!wire) throw new Error('the client has no socket')
    return wire
  }

  #open(handlers: SocketHandlers, keep: (wire: Wire) => void): { send: (message: unknown) => void; close: () => void } {
    const { mayRead = () => true, canUnpack = false, clock } = this.#options
    if (!this.isUp) {
      this.#latest = null
      clock.schedule(handlers.onClose, 1)
      return { send: () => undefined, close: () => undefined }
    }
    const sent: unknown[] = []
    let session: TopicSession | null = null
    const pair = createSocketPair({
      server: { receive: (message) => session?.receive(message), closed: () => session?.close() },
      client: { receive: handlers.onMessage, closed: handlers.onClose },
    })
    const wire: Wire = {
      pair,
      bufferedBytes: 0,
      sent,
      session: () => {
        if (!session) throw new Error('no session yet')
        return session
      },
    }
    session = this.hub.openSession(
      {
        send: (message) => {
          sent.push(message)
          pair.toClient.push(message)
        },
        bufferedBytes: () => wire.bufferedBytes,
        // Bytes already under way still arrive; then the client notices.
        close: (hard) => {
          if (hard) pair.cut()
        },
        canUnpack,
      },
      {
        look: () => (mayRead() ? { kind: 'shared' } : { kind: 'forbidden', reason: null }),
        enterSubscription: () => () => undefined,
        watcher: () => undefined,
        onCut: () => undefined,
      },
    )
    this.#latest = wire
    keep(wire)
    return {
      send: (message) => pair.toServer.push(message),
      close: () => {
        pair.toServer.messages.length = 0
        session?.close()
      },
    }
  }

  /** Delivers everything under way, and what that leads to, until nothing is. */
  async deliverAll(): Promise<void> {
    for (let round = 0; round < 1_000; round++) {
      let hasDelivered = false
      for (const wire of this.wires.values()) {
        for (const queue of wire ? [wire.pair.toServer, wire.pair.toClient] : []) {
          while (queue.messages.length > 0) {
            queue.deliver()
            hasDelivered = true
          }
        }
      }
      // Packing and unpacking take turns of the microtask queue.
      await this.#options.clock.advance(0)
      if (!hasDelivered) return
    }
    throw new Error('messages beget messages without end')
  }

  /** Time passes and everything arrives. */
  async run(durationMs: number, stepMs = 250): Promise<void> {
    await this.deliverAll()
    for (let passed = 0; passed < durationMs; passed += stepMs) {
      await this.#options.clock.advance(Math.min(stepMs, durationMs - passed))
      await this.deliverAll()
    }
  }

  close(): void {
    for (const client of this.clients) client.close()
    this.hub.close()
  }
}
