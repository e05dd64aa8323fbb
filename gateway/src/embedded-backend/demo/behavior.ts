// How the services of the invented estate behave: a pure function of time, so that the history made up at the start and the
// answers of the running target are one and the same story.

/**
 * steady: small noise. drift: slower and slower until a restart each six hours. daily: follows the hours of the day.
 * flapping: fails for some of its three quarters of a minute. failing: since half an hour before the start.
 * recovering: down for ten minutes before the start, up 40 s after it. failing-later: down 70 s after the start, for ten
 * minutes of each half hour.
 */
export const BEHAVIORS = ['steady', 'drift', 'daily', 'flapping', 'failing', 'recovering', 'failing-later'] as const
export type Behavior = (typeof BEHAVIORS)[number]

export interface Service {
  readonly behavior: Behavior
  /** Usual time to answer, milliseconds. */
  readonly usualMs: number
  /** Makes services of one behavior differ. */
  readonly seed: number
}

export interface ServiceAnswer {
  readonly isUp: boolean
  readonly latencyMs: number
}

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const FLAP_SLOT = 45 * SECOND
const FLAP_SHARE = 0.35

/** A number in [0, 1) that belongs to the seed and the slot (Wang's integer hash). */
export function noise(seed: number, slot: number): number {
  let hash = Math.imul(seed | 0, 0x9e3779b1) ^ (slot | 0)
  hash = Math.imul(hash ^ 61 ^ (hash >>> 16), 9)
  hash ^= hash >>> 4
  hash = Math.imul(hash, 0x27d4eb2d)
  return ((hash ^ (hash >>> 15)) >>> 0) / 2 ** 32
}

function isUp({ behavior, seed }: Service, at: number, sinceStartMs: number): boolean {
  switch (behavior) {
    case 'steady':
    case 'drift':
    case 'daily':
      return true
    case 'flapping':
      return noise(seed, Math.floor(at / FLAP_SLOT)) >= FLAP_SHARE
    case 'failing':
      return sinceStartMs < -(26 + (seed % 7)) * MINUTE
    case 'recovering':
      return sinceStartMs < -10 * MINUTE || sinceStartMs >= 40 * SECOND
    case 'failing-later': {
      const sinceFirst = sinceStartMs - 70 * SECOND
      return sinceFirst < 0 || sinceFirst % (30 * MINUTE) >= 10 * MINUTE
    }
  }
}

function slowness({ behavior }: Service, at: number): number {
  if (behavior === 'drift') return 1 + 1.5 * ((at % (6 * HOUR)) / (6 * HOUR))
  if (behavior === 'daily') return 1 + 0.6 * Math.sin((2 * Math.PI * (at % DAY)) / DAY)
  return 1
}

/**
 * What the service answers at a moment.
 *
 * @param at milliseconds since the epoch
 * @param startedAt when the program was started
 */
export function answerAt(service: Service, at: number, startedAt: number): ServiceAnswer {
  const slot = Math.floor(at / SECOND)
  const isSpike = noise(service.seed + 7_919, slot) > 0.985
  const jitter = 0.8 + 0.4 * noise(service.seed, slot)
  const latencyMs = service.usualMs * slowness(service, at) * jitter * (isSpike ? 3 : 1)
  return { isUp: isUp(service, at, at - startedAt), latencyMs }
}
