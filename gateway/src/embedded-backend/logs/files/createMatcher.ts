import { ownValue } from '@watchroom/shared/kernel'
import { matchesWords } from '@watchroom/shared/logs'

import type { LogSearch, PlacedLine } from '../log.ts'

export interface Matcher {
  /** False when no entry of these bytes has the words: then none of them need be read. */
  readonly mayBeIn: (bytes: Buffer) => boolean
  readonly isMatch: (placed: PlacedLine) => boolean
}

/** Letters and digits are written the same in every format; the rest may be escaped. */
const PLAIN = /[a-z0-9]+/g

/** @param own labels that every line has, whatever stands in the file */
export function createMatcher(
  { words, labels, start, end }: LogSearch,
  own: Readonly<Record<string, string>> = {},
): Matcher {
  const sought = words.filter((word) => !matchesWords({ message: '', labels: own }, [word]))
  const probes = sought.flatMap((word) => word.match(PLAIN) ?? [])
  const wantedLabels = Object.entries(labels)
  return {
    mayBeIn: (bytes) => {
      if (probes.length === 0) return true
      const text = bytes.toString('latin1').toLowerCase()
      return probes.every((probe) => text.includes(probe))
    },
    isMatch: ({ line, at }) =>
      at >= start &&
      at <= end &&
      wantedLabels.every(([name, value]) => ownValue(line.labels, name) === value) &&
      matchesWords(line, words),
  }
}
