import { type Clock, createTimer } from '@watchroom/shared/kernel'
import {
  type ClientMessage,
  closeReaction,
  type Refusal,
  RefusalSchema,
  type ServerMessage,
  ServerMessageSchema,
} from '@watchroom/shared/protocol'

import type { LinkState, LiveSocket, OpenSocket } from './contract.ts'
import { createSilenceWatch } from './createSilenceWatch.ts'
import { reconnectDelay } from './reconnectDelay.ts'

// Keeps one socket to the gateway open: reconnects, notices a dead link, obeys `bye`. Knows nothing of topics.

const CONNECT_TIMEOUT_MS = 5_000
/** A link that lasts this long resets the back-off; one that dies at once does not. */
const STABLE_MS = 5_000
/** Retry even after a code that stops the client, for a wallboard that nobody reloads (LIVE-45). */
const STOPPED_RETRY_MS = 300_000

export interface LinkDeps {
  readonly openSocket: OpenSocket
  readonly clock: Clock
  readonly random: () => number
  readonly onMessage: (message: ServerMessage) => void
  readonly onState: (state: LinkState) => void
  /** The open link has been silent for so long that nothing is certain, or speaks again. */
  readonly onSilence: () => void
  /** A message matched no schema. The link goes on; the topic resyncs by its offsets. */
  readonly onUnreadable: () => void
}

export interface Link {
  readonly state: () => LinkState
  /** Milliseconds since the link was last open (or since the start), or since its last message if it is silent; null while healthy. */
  readonly downMs: () => number | null
  /** False when there is no open socket; nothing is queued, because a new socket subscribes anew. */
  readonly send: (message: ClientMessage) => boolean
  /** Connects now instead of after the wait: the network is back, the page is visible, the user signed in. */
  readonly nudge: () => void
  readonly close: () => void
}

export function createLink(deps: LinkDeps): Link {
  const { clock, random } = deps
  let state: LinkState = { kind: 'connecting' }
  let socket: LiveSocket | null = null
  let attempt = 0
  let downSince: number | null = clock.monotonic()
  let heardAt = 0
  let isClosed = false
  /** What the gateway said when it ended the last socket. */
  let farewell: Refusal | null = null
  /** Reconnect wait or connect deadline: there is only ever one of them. */
  const timer = createTimer(clock)
  const stableTimer = createTimer(clock)
  const silence = createSilenceWatch({ clock, onChange: () => deps.onSilence(), onDead: () => lose() })

  const setState = (next: LinkState): void => {
    // A silent link was down before it was given up: the time of its last message counts.
    const lostAt = state.kind === 'open' ? heardAt : clock.monotonic()
    state = next
    if (next.kind === 'open') {
      downSince = null
      farewell = null
    } else downSince ??= lostAt
    deps.onState(next)
  }

  const withReason = (kind: 'connecting' | 'down'): LinkState => (farewell ? { kind, because: farewell } : { kind })

  const drop = (): void => {
    timer.clear()
    stableTimer.clear()
    silence.stop()
    socket?.close()
    socket = null
  }

  const retryIn = (delayMs: number): void => {
    timer.set(connect, delayMs)
  }

  const lose = (): void => {
    drop()
    setState(withReason('down'))
    retryIn(reconnectDelay(attempt++, random))
  }

  const end = ({ code, message, retryMs }: Refusal): void => {
    const reaction = closeReaction(code)
    drop()
    if (reaction === 'retry') {
      farewell = { code, message }
      setState(withReason('down'))
      retryIn(retryMs ?? reconnectDelay(attempt++, random))
      return
    }
    setState({ kind: 'ended', reaction, code, message })
    if (reaction === 'stop') retryIn(STOPPED_RETRY_MS)
  }

  const receive = (message: ServerMessage): void => {
    if (message.type === 'bye') {
      end(message)
      return
    }
    if (message.type === 'welcome' && state.kind !== 'open') {
      timer.clear()
      silence.start(message.beatMs)
      stableTimer.set(() => {
        attempt = 0
      }, STABLE_MS)
      setState({ kind: 'open' })
    }
    deps.onMessage(message)
  }

  const connect = (): void => {
    drop()
    setState(withReason('connecting'))
    timer.set(lose, CONNECT_TIMEOUT_MS)
    const opened = deps.openSocket({
      onMessage: (raw) => {
        if (socket !== opened) return
        heardAt = clock.monotonic()
        silence.heard()
        const parsed = ServerMessageSchema.safeParse(raw)
        if (parsed.success) receive(parsed.data)
        else deps.onUnreadable()
      },
      onRefused: (data) => {
        if (socket !== opened) return
        const refusal = RefusalSchema.safeParse(data)
        if (refusal.success) end(refusal.data)
        else lose()
      },
      onClose: () => {
        if (socket === opened) lose()
      },
    })
    socket = opened
  }

  connect()
  return {
    state: () => state,
    downMs: () => {
      const since = silence.isSilent() ? heardAt : downSince
      return since === null ? null : clock.monotonic() - since
    },
    send: (message) => {
      if (state.kind !== 'open' || !socket) return false
      socket.send(message)
      return true
    },
    nudge: () => {
      if (isClosed || state.kind === 'open' || state.kind === 'connecting') return
      attempt = 0
      connect()
    },
    close: () => {
      isClosed = true
      drop()
    },
  }
}
