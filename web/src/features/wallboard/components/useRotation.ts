import { useCallback, useEffect, useReducer, useRef } from 'react'

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
  const facts = useRef({ boards, pagesOf, stayMs })
  useEffect(() => {
    facts.current = { boards, pagesOf, stayMs }
  })

  useEffect(() => {
    let cancel = (): void => undefined
    const tick = (): void => {
      const { boards: count, pagesOf: readPages, stayMs: stay } = facts.current
      dispatch({ kind: 'tick', now: clock.monotonic(), boards: count, pages: readPages(), stayMs: stay })
      cancel = clock.schedule(tick, TICK_MS)
    }
    cancel = clock.schedule(tick, TICK_MS)
    return () => cancel()
  }, [clock])

  const turn = useCallback(
    (by: 1 | -1) => {
      const { boards: count, pagesOf: readPages } = facts.current
      dispatch({ kind: 'turn', now: clock.monotonic(), boards: count, pages: readPages(), by })
    },
    [clock],
  )
  const jump = useCallback(
    (place: Place, tileId: string) => {
      const stay = Math.max(LEAST_JUMP_MS, facts.current.stayMs)
      dispatch({ kind: 'jump', now: clock.monotonic(), place, tileId, stayMs: stay })
    },
    [clock],
  )
  const back = useCallback(() => dispatch({ kind: 'return', now: clock.monotonic() }), [clock])
  const setPaused = useCallback(
    (isPaused: boolean) => dispatch({ kind: 'pause', now: clock.monotonic(), isPaused }),
    [clock],
  )
  return { rotation, turn, jump, back, setPaused }
}
