import { useEffect, useEffectEvent, useReducer } from 'react'

import { useScreenClock } from '../../../ui/clock.tsx'
import { type Place, type Rotation, START, stepRotation } from '../board/stepRotation.ts'

/** How long the wall stays with what just failed; longer when its pages stay longer. */
const LEAST_JUMP_MS = 20_000
const TICK_MS = 1_000

export interface RotationControls {
  readonly rotation: Rotation
  readonly turn: (by: 1 | -1) => void
  readonly jump: (place: Place, tileId: string) => void
  readonly back: () => void
  readonly setPaused: (isPaused: boolean) => void
}

/**
 * @param boards boards in rotation
 * @param pagesOf pages of the board that the rotation shows, asked when it is time to turn
 * @param stayMs time a page stays; 0 for good
 */
export function useRotation(boards: number, pagesOf: () => number, stayMs: number): RotationControls {
  const { clock } = useScreenClock()
  const [rotation, dispatch] = useReducer(stepRotation, START)
  const now = (): number => clock.monotonic()
  const handleTick = useEffectEvent(() => dispatch({ kind: 'tick', now: now(), boards, pages: pagesOf(), stayMs }))

  useEffect(() => {
    let cancel = (): void => undefined
    const tick = (): void => {
      handleTick()
      cancel = clock.schedule(tick, TICK_MS)
    }
    cancel = clock.schedule(tick, TICK_MS)
    return () => cancel()
  }, [clock])

  return {
    rotation,
    turn: (by) => dispatch({ kind: 'turn', now: now(), boards, pages: pagesOf(), by }),
    jump: (place, tileId) =>
      dispatch({ kind: 'jump', now: now(), place, tileId, stayMs: Math.max(LEAST_JUMP_MS, stayMs) }),
    back: () => dispatch({ kind: 'return', now: now() }),
    setPaused: (isPaused) => dispatch({ kind: 'pause', now: now(), isPaused }),
  }
}
