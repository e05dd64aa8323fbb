// Buckets of tokens: each may be used up at once and fills again slowly.
import type { Clock } from './clock.ts'
import { keepNewest } from './keepNewest.ts'

export interface RateLimitPolicy {
  readonly burst: number
  readonly perSecond: number
}

export interface RateLimit {
  /** Whether there was a token, which is used up now. */
  tryTake(): boolean
  /** Uses tokens up, whether they are there or not: more than there are makes the next wait longer. */
  take(tokens?: number): void
  /** The token was not used up after all. */
  giveBack(): void
  /** Milliseconds until there is a token; 0 when there is one now. */
  waitMs(): number
  isFull(): boolean
}

/** A bucket of tokens that is full at first: `burst` at once, then `perSecond`. */
export function createRateLimit(clock: Clock, policy: RateLimitPolicy): RateLimit {
  let tokens = policy.burst
  let filledAt = clock.monotonic()

  const fill = (): number => {
    const now = clock.monotonic()
    tokens = Math.min(policy.burst, tokens + ((now - filledAt) / 1_000) * policy.perSecond)
    filledAt = now
    return tokens
  }
  const take = (count = 1): void => {
    tokens = fill() - count
  }

  return {
    tryTake: () => {
      if (fill() < 1) return false
      take()
      return true
    },
    take,
    giveBack: () => {
      tokens = Math.min(policy.burst, fill() + 1)
    },
    waitMs: () => (fill() >= 1 ? 0 : Math.ceil(((1 - tokens) / policy.perSecond) * 1_000)),
    isFull: () => fill() >= policy.burst,
  }
}

/** One limit for each key: an address, an account. */
export interface RateLimits {
  waitMs(key: string): number
  take(key: string, tokens?: number): void
  giveBack(key: string): void
  /** Keys in memory. */
  size(): number
}

/** A limit that is full again is forgotten; beyond this the one that was used longest ago goes. About 2 MB. */
const MAX_KEYS = 10_000

/** One for each key. Full ones are forgotten, and those used longest ago when there are more than `maxKeys`. */
export function createRateLimits(clock: Clock, policy: RateLimitPolicy, maxKeys = MAX_KEYS): RateLimits {
  /** Used longest ago first. */
  const limits = new Map<string, RateLimit>()

  const change = (key: string, apply: (limit: RateLimit) => void): void => {
    const limit = limits.get(key) ?? createRateLimit(clock, policy)
    apply(limit)
    limits.delete(key)
    if (limit.isFull()) return
    limits.set(key, limit)
    keepNewest(limits, maxKeys)
  }

  return {
    waitMs: (key) => limits.get(key)?.waitMs() ?? 0,
    take: (key, count) => change(key, (limit) => limit.take(count)),
    giveBack: (key) => change(key, (limit) => limit.giveBack()),
    size: () => limits.size,
  }
}
