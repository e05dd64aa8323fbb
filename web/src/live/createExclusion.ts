import { type Clock, createTimer } from '@watchroom/shared/kernel'
import type { SourceProblem } from '@watchroom/shared/protocol'

import type { TopicError } from './contract.ts'

// Why a reader gets no rows over the socket, and when it asks again: a denial need not last.

/** From the gateway's catalog (docs/errors.md): rows come once there is room for them; until then the page polls (LIVE-64). */
const NO_ROOM = 'LIVE_NO_ROOM'
/** The page polls then as well: this is not about rights, and passes once the person has closed other pages. */
const TOO_MANY = 'LIVE_TOO_MANY_TOPICS'
const TOO_MANY_AGAIN_MS = 30_000
/** Not every backend announces that someone may see more than before. */
const FORBIDDEN = 'LIVE_TOPIC_FORBIDDEN'
const FORBIDDEN_AGAIN_MS = 60_000
/** Spreads the requests of a person's pages, which all hear at once that their rights changed. */
const RIGHTS_JITTER_MS = 1_000
/** For 5 s the gateway may still answer with what it knew before the change. */
const OLD_ANSWER_MS = 6_000

export interface Exclusion {
  /** The denial in force. It stands while the reader asks again, so that nothing flickers. */
  readonly denied: () => TopicError | null
  /** Why the gateway has no newer rows. */
  readonly problem: () => SourceProblem | null
  /** For how long there has been no room for these rows, in milliseconds; null while there is. */
  readonly crowdedMs: () => number | null
  /** The gateway reported on its source. @returns whether rows must no longer be shown */
  readonly hear: (told: SourceProblem | null) => boolean
  /** The gateway refuses the rows. @returns as `hear` does */
  readonly deny: (error: TopicError) => boolean
  /** Rows came. */
  readonly admit: () => void
  readonly rightsChanged: () => void
  /** A new socket: what an earlier one said no longer counts. */
  readonly forget: () => void
  /** Stops asking. */
  readonly stop: () => void
}

/** @param deps.ask subscribes, if there still is no subscription */
export function createExclusion(deps: { clock: Clock; random: () => number; ask: () => void }): Exclusion {
  const { clock, random } = deps
  const timer = createTimer(clock)
  let denied: TopicError | null = null
  let problem: SourceProblem | null = null
  let crowdedAt: number | null = null
  let rightsChangedAt = -Infinity
  const spread = (waitMs: number): number => waitMs * (1 + random() / 10)

  const crowd = (): boolean => {
    denied = null
    const isNews = crowdedAt === null
    crowdedAt ??= clock.monotonic()
    return isNews
  }

  return {
    denied: () => denied,
    problem: () => problem,
    crowdedMs: () => (crowdedAt === null ? null : clock.monotonic() - crowdedAt),
    hear: (told) => {
      problem = told
      if (told?.code === NO_ROOM) return crowd()
      crowdedAt = null
      return false
    },
    deny: (error) => {
      if (error.code === TOO_MANY) {
        const waitMs = spread(TOO_MANY_AGAIN_MS)
        const failures = problem?.code === TOO_MANY ? problem.consecutiveFailures : 0
        problem = { ...error, consecutiveFailures: failures + 1, nextAttemptAt: clock.now() + waitMs }
        timer.set(deps.ask, waitMs)
        crowd()
        return false
      }
      denied = error
      problem = null
      crowdedAt = null
      const isOldAnswer = clock.monotonic() - rightsChangedAt < OLD_ANSWER_MS
      if (error.code === FORBIDDEN) timer.set(deps.ask, isOldAnswer ? OLD_ANSWER_MS : spread(FORBIDDEN_AGAIN_MS))
      return true
    },
    admit: () => {
      denied = null
      // When there is room again, the gateway says so before it sends rows.
      if (problem?.code === NO_ROOM) return
      if (problem?.code === TOO_MANY) problem = null
      crowdedAt = null
    },
    rightsChanged: () => {
      rightsChangedAt = clock.monotonic()
      if (denied) timer.set(deps.ask, random() * RIGHTS_JITTER_MS)
    },
    forget: () => {
      denied = null
      problem = null
      crowdedAt = null
    },
    stop: () => timer.clear(),
  }
}
