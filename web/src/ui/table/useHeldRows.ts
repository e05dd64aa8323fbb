import { useState } from 'react'

import { type HeldRows, type HoldInput, holdRows } from './holdRows.ts'

/** The list for these rows. Adjusted while rendering, so that no frame shows rows and order of two moments. */
export function useHeldRows<Row>(input: HoldInput<Row>): HeldRows<Row> {
  const [state, setState] = useState(() => holdRows(undefined, input))
  const areRows = state.found === input.found && state.all === input.all
  const isSame = areRows && state.isAnswer === input.isAnswer && state.isHeld === input.isHeld
  if (isSame && state.question === input.question) return state
  const next = holdRows(state, input)
  setState(next)
  return next
}
