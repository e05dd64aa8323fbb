/**
 * What the client does when a socket ends: `retry` comes back (after `retryMs` when given), `signIn` asks for a new
 * login first, `reload` needs a newer page, `stop` explains and waits for a person.
 */
export type CloseReaction = 'retry' | 'signIn' | 'reload' | 'stop'

interface CloseCode {
  readonly code: number
  readonly reaction: CloseReaction
}

/** Every reason for ending a socket, for topics and documents alike. 44xx is final for the client, 45xx means come back. */
export const CLOSE_CODES = {
  /** The session is missing or has ended. */
  loginNeeded: { code: 4401, reaction: 'signIn' },
  /** Access was removed. */
  accessRemoved: { code: 4403, reaction: 'stop' },
  /** There is no such incident. */
  notFound: { code: 4404, reaction: 'stop' },
  /** An edit was rejected. */
  updateRejected: { code: 4409, reaction: 'stop' },
  /** The document was replaced by a new one. */
  epochGone: { code: 4410, reaction: 'reload' },
  /** A message was too large. */
  tooLarge: { code: 4413, reaction: 'stop' },
  /** Client and gateway share no protocol version. */
  versionUnknown: { code: 4426, reaction: 'reload' },
  /** Too many messages; wait five minutes. */
  rateExceeded: { code: 4429, reaction: 'stop' },
  /** A message was not understood. */
  badMessage: { code: 4400, reaction: 'stop' },
  /** The credential expired; come back with a new one. */
  tokenExpired: { code: 4501, reaction: 'retry' },
  /** The gateway is stopping; come back after the given delay. */
  draining: { code: 4503, reaction: 'retry' },
  /** The epoch is changing; come back. */
  epochChanging: { code: 4504, reaction: 'retry' },
  /** The socket read too slowly; resume from the last offset. */
  tooSlow: { code: 4508, reaction: 'retry' },
  /** The backend shows the gateway itself less; come back. */
  gatewayRefused: { code: 4505, reaction: 'retry' },
  /** A change took too long to apply; send it again. */
  tooCostly: { code: 4509, reaction: 'retry' },
} as const satisfies Record<string, CloseCode>

export type CloseName = keyof typeof CLOSE_CODES

const REACTIONS = new Map<number, CloseReaction>(
  Object.values(CLOSE_CODES).map(({ code, reaction }): [number, CloseReaction] => [code, reaction]),
)

/** Reaction to a code; one that this version does not know follows its range, so that newer gateways stay understood. */
export function closeReaction(code: number): CloseReaction {
  return REACTIONS.get(code) ?? (code >= 4400 && code <= 4499 ? 'stop' : 'retry')
}
