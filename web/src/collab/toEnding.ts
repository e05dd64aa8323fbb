import { CLOSE_CODES, closeReaction } from '@watchroom/shared/protocol'

/** What the end of a socket means. With `lost` the document starts over; it says why undelivered edits are not sent again. */
export type Ending =
  /** `reason`: why it will take a while. */
  | { readonly kind: 'retry'; readonly reason?: string }
  | { readonly kind: 'renew'; readonly lost: string }
  /** Reconnects after minutes, and tells the person why. */
  | { readonly kind: 'pause'; readonly reason: string }
  | { readonly kind: 'signIn' }
  | { readonly kind: 'denied' | 'notFound'; readonly lost: string }
  | { readonly kind: 'failed'; readonly failure: string }

const UNSERVED =
  'The backend refuses Watchroom’s own credential, or shows it less than you, so shared incidents can’t be opened or saved. An administrator can set another one.'

/** What to say about close codes that stop the client and have no ending of their own. */
const PAUSES: ReadonlyMap<number, string> = new Map([
  [CLOSE_CODES.rateExceeded.code, 'Too many messages; wait five minutes.'],
  [CLOSE_CODES.badMessage.code, 'A message was not understood.'],
])

/**
 * @param code close code; null when the socket was closed here
 * @param refusal the gateway's message about the last refused edit
 */
export function toEnding(code: number | null, refusal: string | undefined): Ending {
  switch (code) {
    case null:
      return { kind: 'retry' }
    case CLOSE_CODES.gatewayRefused.code:
      return { kind: 'retry', reason: UNSERVED }
    case CLOSE_CODES.accessRemoved.code:
      return { kind: 'denied', lost: 'Access to this incident was removed' }
    case CLOSE_CODES.notFound.code:
      return { kind: 'notFound', lost: 'This incident no longer exists' }
    case CLOSE_CODES.updateRejected.code:
    case CLOSE_CODES.tooLarge.code:
      return { kind: 'renew', lost: refusal ?? 'The gateway refused this change' }
    case CLOSE_CODES.epochGone.code:
      return { kind: 'renew', lost: 'The document was replaced by a new one' }
    default:
  }
  switch (closeReaction(code)) {
    case 'retry':
      return { kind: 'retry' }
    case 'signIn':
      return { kind: 'signIn' }
    case 'reload':
      return { kind: 'failed', failure: 'Watchroom was updated. Reload the page.' }
    case 'stop':
      return { kind: 'pause', reason: refusal ?? PAUSES.get(code) ?? `The gateway ended the connection (${code})` }
  }
}
