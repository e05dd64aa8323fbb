// When a message that was not taken is tried again.
import { OutboundFault } from '../outbound/outboundFault.ts'

/** What the other side said, as far as the next attempt depends on it. */
export interface Refusal {
  /** The same message would be refused again. */
  readonly isFinal: boolean
  readonly retryAfterMs: number | null
}

/** Some of those it was for do not have it. */
export class PartlyTaken extends OutboundFault {
  readonly refusal: Refusal

  constructor(message: string, refusal: Refusal) {
    super(message)
    this.refusal = refusal
  }
}

export const NEVER: Refusal = { isFinal: true, retryAfterMs: null }

/** Waits after the first, second and third attempt. */
const WAITS_MS = [15_000, 120_000, 600_000] as const
const MAX_WAIT_MS = 3_600_000
const MAX_SPREAD = 0.2

/**
 * @param attempts that were made, 1 after the first
 * @param random in [0, 1); those who were refused together do not come back together
 * @returns milliseconds; null when there is no other attempt
 */
export function nextAttemptMs(attempts: number, refusal: Refusal, random: () => number): number | null {
  const waitMs = WAITS_MS[attempts - 1]
  if (refusal.isFinal || waitMs === undefined) return null
  const spread = waitMs * (1 + MAX_SPREAD * random())
  return Math.min(MAX_WAIT_MS, Math.max(spread, refusal.retryAfterMs ?? 0))
}

/** SMTP: 4xx is a trouble of the moment, 5xx a refusal. */
export function toRefusalOf(error: unknown, now: number): Refusal {
  if (error instanceof PartlyTaken) return error.refusal
  if (error instanceof OutboundFault) return toRefusal(error.status, error.retryAfter, now)
  const { responseCode } = Object(error) as { responseCode?: unknown }
  return { isFinal: typeof responseCode === 'number' && responseCode >= 500, retryAfterMs: null }
}

/** 429 and 408 ask for patience, 5xx are troubles of the other side; what else is 4xx stays wrong. */
export function toRefusal(status: number | null, retryAfter: string | null, now: number): Refusal {
  const isFinal = status !== null && status >= 400 && status < 500 && status !== 408 && status !== 429
  return { isFinal, retryAfterMs: retryAfter === null ? null : parseRetryAfter(retryAfter, now) }
}

/** Seconds, or a date. */
function parseRetryAfter(text: string, now: number): number | null {
  if (/^\d+$/.test(text.trim())) return Number(text) * 1_000
  const at = Date.parse(text)
  return Number.isNaN(at) ? null : Math.max(0, at - now)
}
