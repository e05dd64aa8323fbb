import type { PeerState } from '@watchroom/shared/collab'
import { type Clock, createTimer } from '@watchroom/shared/kernel'
import { deepEqual } from '@watchroom/shared/protocol'

/** A person is idle after this long without keyboard or pointer input. */
export const IDLE_MS = 60_000
/** The gateway relays presence ten times a second. */
const PUBLISH_MS = 100

export interface OwnPresence {
  readonly state: () => PeerState
  readonly update: (change: Partial<PeerState>) => void
  readonly noteActivity: () => void
  readonly setHidden: (isHidden: boolean) => void
  readonly close: () => void
}

/** What this tab tells others about itself: at most ten times a second, and only changes. */
export function createOwnPresence(clock: Clock, publish: (state: PeerState) => void): OwnPresence {
  const publishTimer = createTimer(clock)
  const idleTimer = createTimer(clock)
  let state: PeerState = { presence: 'active' }
  let published: PeerState | null = null
  let publishedAt = Number.NEGATIVE_INFINITY
  let isHidden = false

  const send = (): void => {
    if (deepEqual(state, published)) return
    published = state
    publishedAt = clock.monotonic()
    publish(state)
  }

  const update = (change: Partial<PeerState>): void => {
    const next = { ...state, ...change }
    if (deepEqual(next, state)) return
    state = next
    if (publishTimer.isSet()) return
    const waitMs = publishedAt + PUBLISH_MS - clock.monotonic()
    if (waitMs <= 0) send()
    else publishTimer.set(send, waitMs)
  }

  const watchForIdle = (): void => idleTimer.set(() => update({ presence: 'idle', typing: false }), IDLE_MS)

  watchForIdle()
  send()
  return {
    state: () => state,
    update,
    noteActivity: () => {
      if (isHidden) return
      watchForIdle()
      update({ presence: 'active' })
    },
    setHidden: (hidden) => {
      isHidden = hidden
      if (hidden) {
        idleTimer.clear()
        update({ presence: 'away', typing: false })
      } else {
        watchForIdle()
        update({ presence: 'active' })
      }
    },
    close: () => {
      publishTimer.clear()
      idleTimer.clear()
    },
  }
}
