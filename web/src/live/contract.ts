import type { ClientMessage, CloseReaction, Refusal } from '@watchroom/shared/protocol'

/**
 * `live`: data as fresh as the topic promises. `delayed`: older, and the link is up or went down only just now.
 * `offline`: no link to the gateway, or no room for these rows on it; `via` says whether REST polling fills in.
 * `loading`, `denied` and `failed` have no data.
 */
export type TopicState = 'loading' | 'live' | 'delayed' | 'offline' | 'denied' | 'failed'

export interface TopicError {
  /** From the gateway's catalog (docs/errors.md), or from this client: LIVE_UNREADABLE, LIVE_POLL_FAILED, LIVE_CLOSED_{code}. */
  readonly code: string
  readonly message: string
}

/** What a topic looks like now. The object changes only with its rows, state, `via` or error; times are read through it. */
export interface TopicView<Row> {
  /** Rows in the order of their first appearance. An untouched row keeps its identity. */
  readonly rows: readonly Row[]
  readonly state: TopicState
  /** How the rows came: over the socket, by REST because the socket is down, or not at all yet. */
  readonly via: 'socket' | 'polling' | null
  readonly error?: TopicError
  /** When the rows were true, by the gateway's wall clock, in milliseconds; null while there are none. */
  readonly asOf: number | null
  /** Age of the rows in milliseconds, by the gateway's clock; null while there are none. */
  readonly ageMs: () => number | null
  /** Milliseconds since the link went down or had no room for these rows; null while they arrive. */
  readonly downMs: () => number | null
  /** Asks the gateway to read the source now; reads by REST while the link is down. */
  readonly refresh: () => void
}

export interface TopicOptions<Row> {
  /** Reads all rows by REST. Used only while the socket is down; without it the old rows stay. */
  readonly fetchRows?: ((signal: AbortSignal) => Promise<readonly Row[]>) | undefined
  /** Interval of that polling in milliseconds; null switches it off. Default 30,000 (the health page's rate). */
  readonly refreshMs?: number | null | undefined
}

/** From `ended` there is a way back only by what `reaction` calls for: a new sign-in, a reload, or a longer wait. */
export type LinkState =
  | { readonly kind: 'open' }
  /** `because`: what the gateway said when it ended the last socket. */
  | { readonly kind: 'connecting' | 'down'; readonly because?: Refusal }
  | { readonly kind: 'ended'; readonly reaction: CloseReaction; readonly code: number; readonly message: string }

export interface SocketHandlers {
  readonly onMessage: (raw: unknown) => void
  /** The gateway refused the handshake; `data` is the refusal when it gave one. */
  readonly onRefused: (data: unknown) => void
  readonly onClose: () => void
}

/** The part of a socket in use here. */
export interface LiveSocket {
  readonly send: (message: ClientMessage) => void
  /** Ends the socket; `onClose` is not called. */
  readonly close: () => void
}

export type OpenSocket = (handlers: SocketHandlers) => LiveSocket

/** Undoes raw deflate. May be synchronous or not; messages of one topic keep their order either way. */
export type Inflate = (data: Uint8Array) => string | Promise<string>
