import { type Clock, createTimer } from '@watchroom/shared/kernel'

import type { PresentPeer, Touch } from './contract.ts'

/** How long the name of whoever changed something is shown beside it. */
const TOUCH_MS = 4_000
/** More at once is not someone editing right now, and would light up the whole page. */
const MAX_AT_ONCE = 20

export interface Touches {
  readonly all: () => ReadonlyMap<string, Touch>
  /** What others just changed, by path. */
  readonly note: (changed: ReadonlyMap<string, PresentPeer | null>) => void
  readonly close: () => void
}

const NOTHING: ReadonlyMap<string, Touch> = new Map()

/** Remembers for a few seconds what others changed. @param onChange a touch has ended */
export function createTouches(clock: Clock, onChange: () => void): Touches {
  const timer = createTimer(clock)
  const endsAt = new Map<string, number>()
  let touched = NOTHING
  let lastId = 0

  const end = (): void => {
    const now = clock.monotonic()
    for (const [path, at] of endsAt) if (at <= now) endsAt.delete(path)
    const left = [...touched].filter(([path]) => endsAt.has(path))
    touched = left.length === 0 ? NOTHING : new Map(left)
    wait()
    onChange()
  }
  const wait = (): void => {
    const next = Math.min(...endsAt.values())
    if (Number.isFinite(next)) timer.set(end, next - clock.monotonic())
  }

  return {
    all: () => touched,
    note: (changed) => {
      if (changed.size === 0 || changed.size > MAX_AT_ONCE) return
      const next = new Map(touched)
      for (const [path, by] of changed) {
        const before = next.get(path)
        endsAt.set(path, clock.monotonic() + TOUCH_MS)
        // Someone who keeps typing is one touch: it flashes once.
        if (before === undefined || before.by?.clientId !== by?.clientId) next.set(path, { id: (lastId += 1), by })
      }
      touched = next
      wait()
    },
    close: () => timer.clear(),
  }
}
