/**
 * What the client does when a socket ends: `retry` comes back (after `retryMs` when given), `signIn` asks for a new
 * login first, `reload` needs a newer page, `stop` explains and waits for a person.
 */
export type CloseReaction = 'retry' | 'signIn' | 'reload' | 'stop'

interface CloseCode {
  readonly code: number
  readonly reaction: CloseReaction
  readonly meaning: string
}

/** Every reason for ending a socket, for topics and documents alike. 44xx is final for the client, 45xx means come back. */
export const CLOSE_CODES = {
  loginNeeded: { code: 4401, reaction: 'signIn', meaning: 'The session is missing or has ended.' },
  accessRemoved: { code: 4403, reaction: 'stop', meaning: 'Access was removed.' },
  notFound: { code: 4404, reaction: 'stop', meaning: 'There is no such incident.' },
  updateRejected: { code: 4409, reaction: 'stop', meaning: 'An edit was rejected.' },
  epochGone: { code: 4410, reaction: 'reload', meaning: 'The document was replaced by a new one.' },
  tooLarge: { code: 4413, reaction: 'stop', meaning: 'A message was too large.' },
  versionUnknown: { code: 4426, reaction: 'reload', meaning: 'Client and gateway share no protocol version.' },
  rateExceeded: { code: 4429, reaction: 'stop', meaning: 'Too many messages; wait five minutes.' },
  badMessage: { code: 4400, reaction: 'stop', meaning: 'A message was not understood.' },
  tokenExpired: { code: 4501, reaction: 'retry', meaning: 'The credential expired; come back with a new one.' },
  draining: { code: 4503, reaction: 'retry', meaning: 'The gateway is stopping; come back after the given delay.' },
  epochChanging: { code: 4504, reaction: 'retry', meaning: 'The epoch is changing; come back.' },
  tooSlow: { code: 4508, reaction: 'retry', meaning: 'The socket read too slowly; resume from the last offset.' },
  tooCostly: { code: 4509, reaction: 'retry', meaning: 'A change took too long to apply; send it again.' },
} as const satisfies Record<string, CloseCode>

export type CloseName = keyof typeof CLOSE_CODES

const REACTIONS = new Map<number, CloseReaction>(
  Object.values(CLOSE_CODES).map(({ code, reaction }): [number, CloseReaction] => [code, reaction]),
)

/** Reaction to a code; one that this version does not know follows its range, so that newer gateways stay understood. */
export function closeReaction(code: number): CloseReaction {
  return REACTIONS.get(code) ?? (code >= 4400 && code <= 4499 ? 'stop' : 'retry')
}
