import { CLOSE_CODES, closeReaction } from '@watchroom/shared/protocol'

/** What the end of a socket means. With `lost` the document starts over: why edits that nobody got are not sent again. */
export type Ending =
  | { readonly kind: 'retry' }
  | { readonly kind: 'renew'; readonly lost: string }
  /** Comes back after minutes, which a person is told. */
  | { readonly kind: 'pause'; readonly reason: string }
  | { readonly kind: 'signIn' }
  | { readonly kind: 'denied' | 'notFound'; readonly lost: string }
  | { readonly kind: 'failed'; readonly failure: string }

/**
 * @param code of the close; null when the socket was closed here
 * @param refusal what the gateway said about the edit that it refused last
 */
export function toEnding(code: number | null, refusal: string | undefined): Ending {
  switch (code) {
    case null:
      return { kind: 'retry' }
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
    case 'stop': {
      const known = Object.values(CLOSE_CODES).find((entry) => entry.code === code)
      return { kind: 'pause', reason: refusal ?? known?.meaning ?? `The gateway ended the connection (${code})` }
    }
  }
}
