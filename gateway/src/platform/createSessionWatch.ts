// Checks again who stands behind an open socket and what they may do: periodically where changes are not announced, when the session
// expires, and when asked to. Both socket servers use it.
import { backoffMs, type Clock, createTimer } from '@watchroom/shared/kernel'

/** Oldest answers to accept, in milliseconds. */
export interface AnswerAge {
  readonly sessionMs: number
  /** Of roles, and of what the backend shows. */
  readonly rightsMs: number
}

export interface SessionWatchSettings {
  /** Between two checks where changes are not announced. */
  readonly lookEveryMs: number
  /** There, a socket that only listens keeps rights that were taken away for at most this long. */
  readonly rightsHoldMs: number
  /** The same for a session that ended. The backend is asked about it this often; checks in between use the last answer. */
  readonly sessionHoldsMs: number
  /** Where changes are announced, a session is looked up this seldom, only so that it counts as used. */
  readonly useEveryMs: number
  /** Whoever acts is judged by an answer that is younger than this. */
  readonly confirmMs: number
  /** A session that cannot be confirmed for this long ends. */
  readonly unconfirmedMs: number
}

export const SESSION_WATCH_SETTINGS: SessionWatchSettings = {
  // Two pauses are less than what rights hold, by as much as the question may wait for others.
  lookEveryMs: 14_700,
  rightsHoldMs: 30_000,
  sessionHoldsMs: 60_000,
  useEveryMs: 200_000,
  confirmMs: 4_000,
  unconfirmedMs: 300_000,
}

/** An explicit check asks for what is true now, not for a cached answer. */
const NOW: AnswerAge = { sessionMs: 1_000, rightsMs: 1_000 }
/** From this age on someone who acts is looked up again, so that a person who keeps typing never has to wait. */
const RENEW_MS = 2_500
/** Marks the session as used; everything else is announced. */
const USE: AnswerAge = { sessionMs: 60_000, rightsMs: Infinity }
const MIN_LOOK_MS = 1_000
/** An unanswered check is repeated, even where changes are announced: an announcement comes only once. */
const FIRST_RETRY_MS = 1_000
/** Timers may be early by a millisecond. */
const END_MARGIN_MS = 20

export interface SessionWatch {
  /** Looks at once. Resolves, and never rejects, when what was found has taken effect. */
  confirm(): Promise<void>
  /** Whether what is known is good enough to act by. */
  isConfirmed(): boolean
  /** Someone acts: looks again, unless a look is under way or the last one is fresh. */
  keepFresh(): void
  stop(): void
}

export interface SessionWatchDeps {
  readonly clock: Clock
  readonly random: () => number
  readonly settings: SessionWatchSettings
  /** Changes are told within a second: nobody has to look now and then. */
  readonly isAnnounced: () => boolean
  /** When the session ends by itself, milliseconds since the epoch. */
  readonly endsAt: () => number | undefined
  /** Asks, and lets the answer take effect. Rejects when nobody can say. */
  readonly look: (age: AnswerAge) => Promise<void>
  readonly onUnconfirmed: (error: unknown) => void
  /** The session ended by itself, or nobody could confirm it for too long. */
  readonly onEnd: (reason: 'ended' | 'unconfirmed') => void
}

/** @param sessionIdleMs a session ends when nobody used it for this long; at least 5 minutes */
export const toSessionWatchSettings = (sessionIdleMs: number): SessionWatchSettings => ({
  ...SESSION_WATCH_SETTINGS,
  // Another socket's answer, and the pause between two looks, come on top.
  useEveryMs: sessionIdleMs - 100_000,
})

/** Takes what its caller knows already for confirmed. */
export function createSessionWatch(deps: SessionWatchDeps): SessionWatch {
  const { clock, settings } = deps
  const timer = createTimer(clock)
  // An answer taken now must hold until the next look.
  const listening: AnswerAge = {
    sessionMs: settings.sessionHoldsMs - settings.lookEveryMs,
    rightsMs: settings.rightsHoldMs - settings.lookEveryMs,
  }
  let confirmedAt = clock.monotonic()
  let lookedAt = clock.monotonic()
  let looks = 0
  let failures = 0
  /** Age limit of the check that is still unanswered; null when none is. */
  let owed: AnswerAge | null = null
  /** Since when nobody could say whether the session holds; null while someone can. */
  let unconfirmedSince: number | null = null
  let isStopped = false

  const hasEnded = (): boolean => (deps.endsAt() ?? Infinity) <= clock.now()

  const plan = (everyMs: number): void => {
    // A clock that is ahead of the backend's must not ask without a pause.
    const untilEndMs = Math.max(MIN_LOOK_MS, (deps.endsAt() ?? Infinity) - clock.now() + END_MARGIN_MS)
    if (!isStopped) timer.set(handleTime, Math.min(everyMs, untilEndMs))
  }

  const handleTime = (): void => {
    plan(settings.lookEveryMs)
    if (hasEnded()) void look(NOW)
    else if (owed) void look(owed)
    else if (!deps.isAnnounced()) void look(listening)
    else if (clock.monotonic() - lookedAt >= settings.useEveryMs) void look(USE)
  }

  const look = async (age: AnswerAge): Promise<void> => {
    // A change that concerns everyone may reach a socket that has just closed.
    if (isStopped) return
    const askedAt = clock.monotonic()
    lookedAt = askedAt
    looks += 1
    try {
      await deps.look(age)
    } catch (error) {
      if (isStopped) return
      // The time at which a session ends needs nobody's confirmation.
      if (hasEnded()) return deps.onEnd('ended')
      // The backend is away: the last answer holds for a while, or every outage would sign everyone out.
      unconfirmedSince ??= clock.monotonic()
      deps.onUnconfirmed(error)
      failures += 1
      if (owed !== NOW) owed = age
      plan(backoffMs(failures, { firstMs: FIRST_RETRY_MS, maxMs: settings.lookEveryMs }, deps.random))
      if (clock.monotonic() - unconfirmedSince >= settings.unconfirmedMs) deps.onEnd('unconfirmed')
      return
    } finally {
      looks -= 1
    }
    unconfirmedSince = null
    failures = 0
    // An old answer does not settle a question about now.
    if (owed !== NOW || age === NOW) owed = null
    if (age === NOW) confirmedAt = askedAt
    // The session may end at another time now.
    if ((deps.endsAt() ?? Infinity) - clock.now() < settings.lookEveryMs) plan(settings.lookEveryMs)
  }

  /** Of what its socket acts by. */
  const ageMs = (): number => (deps.isAnnounced() ? 0 : clock.monotonic() - confirmedAt)

  // A crowd that came together is spread.
  plan(deps.random() * settings.lookEveryMs)
  return {
    confirm: () => look(NOW),
    isConfirmed: () => ageMs() < settings.confirmMs,
    keepFresh: () => {
      if (looks === 0 && ageMs() >= RENEW_MS) void look(NOW)
    },
    stop: () => {
      isStopped = true
      timer.clear()
    },
  }
}
