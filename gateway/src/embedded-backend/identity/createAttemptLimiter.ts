// Slows down guessing without ever locking anyone out. Wrong passwords cost: the address they come from, the account they are
// meant for, and everyone together have a supply that fills again slowly. An origin from which the account was signed in to
// before is exempt from all of these; there, only its own mistakes make it wait.
import { backoffMs, type Clock, createRateLimits, keepNewest, type RateLimitPolicy } from '@watchroom/shared/kernel'

export interface Attempt {
  /** As it was typed; also of accounts that do not exist. */
  readonly identifier: string
  /** Network address, as `addressBlock` gives it. */
  readonly address: string
  /** What its own mistakes are counted by: a device that is known, else the address. */
  readonly origin: string
  /** The account was signed in to from here before. */
  readonly isKnown: boolean
}

/** `dropped`: the password was not looked at. */
export type AttemptOutcome = 'right' | 'wrong' | 'dropped'

export type Admission =
  | { readonly ok: true; readonly settle: (outcome: AttemptOutcome) => void }
  | { readonly ok: false; readonly waitMs: number }

export interface AttemptLimiter {
  /** An attempt counts as wrong until it is settled: many at once get no further than one after the other. */
  begin(attempt: Attempt): Admission
}

/** Typing mistakes that cost nothing. */
const FREE_FAILURES = 5
/** Longer waits would lock people out who share an address with a guesser and have no device that is known. */
const OWN_BACKOFF = { firstMs: 2_000, maxMs: 60_000 }
/** Failures are forgotten after this. */
const FORGET_MS = 60 * 60_000
/** About 2 MB; when it is full the oldest entries go, so that made-up identifiers cannot fill the memory. */
const MAX_ENTRIES = 10_000

/** One attempt in 5 s over all addresses, after the mistakes that anyone may make. */
const PER_ACCOUNT: RateLimitPolicy = { burst: FREE_FAILURES, perSecond: 1 / 5 }
/** A team behind one address mistypes less than that. */
const PER_ADDRESS: RateLimitPolicy = { burst: 30, perSecond: 1 / 2 }
/** Ten a second are a seventh of what two cores can hash. */
const OVERALL: RateLimitPolicy = { burst: 100, perSecond: 10 }
const ALL = ''

interface Entry {
  failures: number
  lastFailureAt: number
}

/** @param perAccount how often one account may be tried from everywhere together */
export function createAttemptLimiter(clock: Clock, perAccount = PER_ACCOUNT): AttemptLimiter {
  /** By identifier and origin; least recently failed first. */
  const entries = new Map<string, Entry>()
  const accounts = createRateLimits(clock, perAccount)
  const addresses = createRateLimits(clock, PER_ADDRESS)
  const overall = createRateLimits(clock, OVERALL)

  const find = (key: string): Entry | undefined => {
    const entry = entries.get(key)
    if (entry && clock.monotonic() - entry.lastFailureAt > FORGET_MS) {
      entries.delete(key)
      return undefined
    }
    return entry
  }

  const ownWaitMs = (key: string): number => {
    const entry = find(key)
    if (!entry || entry.failures < FREE_FAILURES) return 0
    const wait = backoffMs(entry.failures - FREE_FAILURES + 1, OWN_BACKOFF)
    return Math.max(0, entry.lastFailureAt + wait - clock.monotonic())
  }

  const noteFailure = (key: string): void => {
    const failures = (find(key)?.failures ?? 0) + 1
    entries.delete(key)
    entries.set(key, { failures, lastFailureAt: clock.monotonic() })
    keepNewest(entries, MAX_ENTRIES)
  }

  return {
    begin: ({ identifier, address, origin, isKnown }) => {
      const account = identifier.trim().toLowerCase()
      const key = `${account}\n${origin}`
      const shared = isKnown
        ? []
        : ([
            [accounts, account],
            [addresses, address],
            [overall, ALL],
          ] as const)
      const waitMs = Math.max(ownWaitMs(key), ...shared.map(([buckets, name]) => buckets.waitMs(name)))
      if (waitMs > 0) return { ok: false, waitMs }
      for (const [buckets, name] of shared) buckets.take(name)
      const before = find(key)
      noteFailure(key)
      return {
        ok: true,
        settle: (outcome) => {
          if (outcome === 'wrong') return
          for (const [buckets, name] of shared) buckets.giveBack(name)
          if (outcome === 'dropped' && before) entries.set(key, before)
          else entries.delete(key)
        },
      }
    },
  }
}
