import { useCallback, useLayoutEffect, useRef } from 'react'

/** The same function always, which does what the one of the last render does: rows compare what they are given. */
export function useLatest<Arguments extends unknown[], Result>(
  act: (...given: Arguments) => Result,
): (...given: Arguments) => Result {
  const latest = useRef(act)
  useLayoutEffect(() => {
    latest.current = act
  })
  return useCallback((...given) => latest.current(...given), [])
}
