import { useState } from 'react'

import { type HeldList, holdList, type ListInput } from './holdList.ts'

/** The list for these rows. Adjusted while rendering, so that no frame shows rows and order of two moments. */
export function useHeldList(input: ListInput): HeldList {
  const [state, setState] = useState(() => holdList(undefined, input))
  const isSame = state.found === input.found && state.rows === input.rows && state.isHeld === input.isHeld
  if (isSame && state.filters === input.filters) return state
  const next = holdList(state, input)
  setState(next)
  return next
}
