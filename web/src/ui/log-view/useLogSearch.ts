import { useEffect, useMemo, useRef, useState } from 'react'

import { useScreenClock } from '../clock.tsx'
import type { LogLine } from './createLogLines.ts'
import { createLogSearch } from './createLogSearch.ts'

/** Lines looked at between two frames. */
const LINES_A_STEP = 20_000

/**
 * Indexes of the lines that have all words, as far as they are known.
 *
 * @param arrangement another number: lines changed places
 */
export function useLogSearch(
  lines: readonly LogLine[],
  revision: number,
  words: readonly string[],
  arrangement: number,
): readonly number[] {
  const { clock } = useScreenClock()
  // oxlint-disable-next-line react/exhaustive-deps -- where lines changed places, all of them are looked at again
  const search = useMemo(() => (words.length === 0 ? null : createLogSearch(words)), [words, arrangement])
  const [found, setFound] = useState<readonly number[]>([])
  const shown = useRef(found)
  useEffect(() => {
    if (search === null) {
      shown.current = []
      setFound(shown.current)
      return undefined
    }
    let cancel = (): void => undefined
    const step = (): void => {
      const hasMore = search.advance(lines, LINES_A_STEP)
      const matches = search.matches()
      if (matches.length !== shown.current.length || matches.at(-1) !== shown.current.at(-1)) {
        shown.current = [...matches]
        setFound(shown.current)
      }
      if (hasMore) cancel = clock.schedule(step, 0)
    }
    step()
    return () => cancel()
  }, [clock, search, lines, revision])
  return found
}
