import { useState } from 'react'

import type { LogLine } from './createLogLines.ts'
import { nextMatch } from './createLogSearch.ts'
import { useLogSearch } from './useLogSearch.ts'

/** The text that is looked for, the lines that have it, and the one that was gone to. */
export function useMatches(lines: readonly LogLine[], revision: number, goTo: (index: number) => void) {
  const [query, setQuery] = useState('')
  const [current, setCurrent] = useState<number | null>(null)
  const matches = useLogSearch(lines, revision, query)
  return {
    query,
    current,
    matches,
    look: (next: string): void => {
      setQuery(next)
      setCurrent(null)
    },
    move: (step: 1 | -1): void => {
      const next = nextMatch(matches, current ?? (step === 1 ? -1 : lines.length), step)
      if (next === null) return
      setCurrent(next)
      goTo(next)
    },
  }
}
