// Slows down guessing: after a few wrong passwords an identifier has to wait at this address, longer each time.
import type { Clock } from '@watchroom/shared/kernel'

export interface AttemptLimiter {
  /** Milliseconds until the next attempt is allowed; 0 when it is allowed now. */
  waitMs(identifier: string, address: string): number
  failed(identifier: string, address: string): void
  succeeded(identifier: string, address: string): void
}

/** Typing mistakes that cost nothing. */
const FREE_FAILURES = 5
const FIRST_WAIT_MS = 2_000
const LONGEST_WAIT_MS = 15 * 60_000
/** Failures are forgotten after this. */
const FORGET_MS = 60 * 60_000
/** About 2 MB; when it is full the oldest entries go, so that made-up identifiers cannot fill the memory. */
const MAX_ENTRIES = 10_000

interface Entry {
  failures: number
  lastFailureAt: number
}

export function createAttemptLimiter(clock: Clock): AttemptLimiter {
  /** Least recently failed first. */
  const entries = new Map<string, Entry>()
  const keyOf = (identifier: string, address: string): string => `${identifier.trim().toLowerCase()}\n${address}`
  const find = (key: string): Entry | undefined => {
    const entry = entries.get(key)
    if (entry && clock.monotonic() - entry.lastFailureAt > FORGET_MS) {
      entries.delete(key)
      return undefined
    }
    return entry
  }

  return {
    waitMs: (identifier, address) => {
      const entry = find(keyOf(identifier, address))
      if (!entry || entry.failures < FREE_FAILURES) return 0
      const wait = Math.min(FIRST_WAIT_MS * 2 ** (entry.failures - FREE_FAILURES), LONGEST_WAIT_MS)
      return Math.max(0, entry.lastFailureAt + wait - clock.monotonic())
    },
    failed: (identifier, address) => {
      const key = keyOf(identifier, address)
      const failures = (find(key)?.failures ?? 0) + 1
      entries.delete(key)
      entries.set(key, { failures, lastFailureAt: clock.monotonic() })
      const oldest = entries.keys().next().value
      if (entries.size > MAX_ENTRIES && oldest !== undefined) entries.delete(oldest)
    },
    succeeded: (identifier, address) => {
      entries.delete(keyOf(identifier, address))
    },
  }
}
