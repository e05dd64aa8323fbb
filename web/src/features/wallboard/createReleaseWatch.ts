// Notices when a different build of this page is served, and loads it when nobody is using the page.

import { type Clock, createTimer } from '@watchroom/shared/kernel'

const CHECK_MS = 300_000
/** Asked again this soon when nobody answered. */
const RETRY_MS = 30_000
/** Between two looks whether someone still uses the page. */
const IDLE_CHECK_MS = 5_000
/** Several screens on one wall should not reload all at once. */
const SPREAD_MS = 5_000

export interface ReleaseWatchDeps {
  readonly clock: Clock
  readonly random: () => number
  /** The build this page was made of; null when it does not know (development). */
  readonly ownBuild: string | null
  /** @returns null when nobody can tell. May reject. */
  readonly readBuild: () => Promise<string | null>
  /** Nobody touches the page right now. */
  readonly isIdle: () => boolean
  /** A page younger than this is not reloaded: a server that mixes two builds must not make it reload forever. Milliseconds. */
  readonly minAgeMs: number
  readonly reload: () => void
}

export interface ReleaseWatch {
  /** The gateway may be another one now. */
  readonly check: () => void
  /** The gateway says that this page is too old for it. */
  readonly outdated: () => void
  readonly close: () => void
}

export function createReleaseWatch(deps: ReleaseWatchDeps): ReleaseWatch {
  const { clock } = deps
  const bornAt = clock.monotonic()
  const checkTimer = createTimer(clock)
  const reloadTimer = createTimer(clock)
  let isClosed = false
  let isReading = false

  const reloadWhenIdle = (): void => {
    const youngForMs = bornAt + deps.minAgeMs - clock.monotonic()
    if (youngForMs <= 0 && deps.isIdle()) deps.reload()
    else reloadTimer.set(reloadWhenIdle, Math.max(IDLE_CHECK_MS, youngForMs))
  }

  const outdated = (): void => {
    if (!isClosed && !reloadTimer.isSet()) reloadTimer.set(reloadWhenIdle, deps.random() * SPREAD_MS)
  }

  const check = async (): Promise<void> => {
    if (isReading || isClosed || deps.ownBuild === null) return
    isReading = true
    let delayMs = CHECK_MS * (0.9 + deps.random() / 5)
    try {
      const build = await deps.readBuild()
      if (build !== null && build !== deps.ownBuild) outdated()
      // The former build is back: a release that was undone.
      if (build === deps.ownBuild) reloadTimer.clear()
    } catch {
      // The gateway is away; the wall says so already, and asks again.
      delayMs = RETRY_MS
    }
    isReading = false
    if (!isClosed) checkTimer.set(() => void check(), delayMs)
  }
  void check()

  return {
    check: () => void check(),
    outdated,
    close: () => {
      isClosed = true
      checkTimer.clear()
      reloadTimer.clear()
    },
  }
}
