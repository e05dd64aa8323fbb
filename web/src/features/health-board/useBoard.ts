import { useState } from 'react'

import { type BoardInput, type BoardState, stepBoard } from './board/stepBoard.ts'

/** The board for these rows and this view. Adjusted while rendering, so that no frame shows rows and order of two moments. */
export function useBoard({ rows, view, isHeld }: BoardInput): BoardState {
  const [state, setState] = useState(() => stepBoard(undefined, { rows, view, isHeld }))
  if (state.rows === rows && state.view === view && state.isHeld === isHeld) return state
  const next = stepBoard(state, { rows, view, isHeld })
  setState(next)
  return next
}
