// A client of live topics that keeps every word it is told, unpacked, whatever it means for its rows.
import {
  LIVE_EVENT,
  PROTOCOL_VERSIONS,
  type ServerMessage,
  type TopicName,
  type TopicRow,
  TOPICS,
} from '@watchroom/shared/protocol'
import { io } from 'socket.io-client'

import { until } from './processes.ts'

export interface RawSubscription {
  /** With its parameters. */
  readonly topic: string
  readonly state: () => 'waiting' | 'open' | 'denied'
  /** What was said of its source last. */
  readonly problem: () => string
  /** Of the rows that it has now: their ids, or what they are known by. */
  readonly ids: () => string[]
  readonly rows: () => TopicRow[]
}

export interface RawLive {
  subscribe(topic: TopicName, params: Record<string, string>): RawSubscription
  /** Everything that was ever sent to it. */
  readonly received: () => string
  /** Null while it is open. */
  readonly endedAt: () => number | null
  close(): void
}

export function openRawLive(
  url: string,
  headers: Readonly<Record<string, string>>,
  as: 'person' | 'device' = 'person',
): RawLive {
  const received: string[] = []
  const handlers = new Map<string, (message: ServerMessage) => void>()
  let endedAt: number | null = null
  const end = (): void => {
    endedAt ??= performance.now()
  }
  const socket = io(url, {
    path: '/socket.io/',
    transports: ['websocket'],
    forceNew: true,
    reconnection: false,
    auth: { versions: [...PROTOCOL_VERSIONS], encodings: [], as },
    extraHeaders: { ...headers },
  })
  socket.on('disconnect', end)
  socket.on('connect_error', end)
  socket.on(LIVE_EVENT, (message: ServerMessage) => {
    received.push(JSON.stringify(message))
    if ('id' in message) handlers.get(message.id)?.(message)
  })

  const subscribe: RawLive['subscribe'] = (topic, params) => {
    const id = String(handlers.size)
    const { key } = TOPICS[topic]
    const rows = new Map<string, TopicRow>()
    let state: ReturnType<RawSubscription['state']> = 'waiting'
    let problem = 'nothing was said'
    handlers.set(id, (message) => {
      if (message.type === 'source') problem = message.problem?.message ?? 'its source is well'
      else if (message.type === 'denied') {
        rows.clear()
        state = 'denied'
      } else if (message.type === 'snapshot' && 'rows' in message) {
        if (message.page === 0) rows.clear()
        for (const row of message.rows) rows.set(String(row[key]), row)
        if (message.page === message.pages - 1) state = 'open'
      } else if (message.type === 'delta' && 'ops' in message) {
        for (const op of message.ops) {
          if (op.op === 'remove') rows.delete(op.key)
          else rows.set(op.key, { ...rows.get(op.key), ...op.set })
        }
      }
    })
    socket.emit(LIVE_EVENT, { type: 'subscribe', id, topic, params })
    return {
      topic: `${topic} ${JSON.stringify(params)}`,
      state: () => state,
      problem: () => problem,
      ids: () => [...rows.keys()],
      rows: () => [...rows.values()],
    }
  }
  return { subscribe, received: () => received.join('\n'), endedAt: () => endedAt, close: () => socket.disconnect() }
}

/** Resolves when it is known whether the subscription is open. */
export async function settled({ topic, state, problem }: RawSubscription): Promise<void> {
  const isAnswered = (): boolean => state() !== 'waiting'
  try {
    await until(isAnswered, { what: 'an answer', maxMs: 90_000 })
  } catch (error) {
    throw new Error(`no answer to the subscription of ${topic}: ${problem()}`, { cause: error })
  }
}

/** A socket has 32 subscriptions at most. */
const PER_SOCKET = 20

/** The same over as many sockets as its subscriptions need. */
export function openRawLives(url: string, headers: Readonly<Record<string, string>>): RawLive {
  const lives: RawLive[] = []
  let subscriptions = 0
  return {
    subscribe: (topic, params) => {
      if (subscriptions++ % PER_SOCKET === 0) lives.unshift(openRawLive(url, headers))
      const [newest] = lives
      if (!newest) throw new Error('there is no socket')
      return newest.subscribe(topic, params)
    },
    received: () => lives.map((live) => live.received()).join('\n'),
    endedAt: () => {
      const ends = lives.map((live) => live.endedAt() ?? Infinity)
      return ends.includes(Infinity) ? null : Math.max(...ends)
    },
    close: () => {
      for (const live of lives) live.close()
    },
  }
}
