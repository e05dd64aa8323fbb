import { useMemo, useState } from 'react'

import type { LogLine } from './createLogLines.ts'
import { nextMatch } from './createLogSearch.ts'
import { useLogSearch } from './useLogSearch.ts'

interface MatchesOptions {
  lines: readonly LogLine[]
  revision: number
  /** Looked for somewhere else, in small letters. Absent: what is typed here. */
  words: readonly string[] | undefined
  /** Whether the lines that have the words are looked for: not while lines come that have them all. */
  isSought: boolean
  goTo: (index: number) => void
}

const NO_WORDS: readonly string[] = []

/** The words that are looked for, the lines that have them, and the one that was gone to. */
export function useMatches({ lines, revision, words: given, isSought, goTo }: MatchesOptions) {
  const [query, setQuery] = useState('')
  const words = useMemo(() => given ?? (query === '' ? NO_WORDS : [query.toLowerCase()]), [given, query])
  const arrangement = given === undefined ? 0 : revision
  const matches = useLogSearch(lines, revision, isSought ? words : NO_WORDS, arrangement)
  /** Lines with an id may change places. */
  const [current, setCurrent] = useState<string | number | null>(null)
  const index = useMemo(
    () => (typeof current === 'string' ? matches.find((match) => lines[match]?.id === current) : current) ?? null,
    [current, matches, lines],
  )
  return {
    query,
    words,
    current: index,
    matches,
    look: (next: string): void => {
      setQuery(next)
      setCurrent(null)
    },
    move: (step: 1 | -1): void => {
      const next = nextMatch(matches, index ?? (step === 1 ? -1 : lines.length), step)
      if (next === null) return
      setCurrent(lines[next]?.id ?? next)
      goTo(next)
    },
  }
}
