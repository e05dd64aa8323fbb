import { matchesWords } from '@watchroom/shared/logs'

import { toPlainText } from './ansi.ts'
import type { LogLine, LogStream } from './createLogLines.ts'

/** Where a text occurs in lines that grow. It is looked for in steps, so that typing stays smooth over 200,000 lines. */
export interface LogSearch {
  /** Looks at up to `budget` further lines. @returns whether there are more to look at */
  readonly advance: (lines: readonly LogLine[], budget: number) => boolean
  /** Indexes of the lines that have it, in order. */
  readonly matches: () => readonly number[]
}

/** @param words a line has all of them; in small letters: letters count alike, small or capital */
export function createLogSearch(words: readonly string[]): LogSearch {
  const found: number[] = []
  let looked = 0
  /** The last line may still grow, and is looked at again. */
  let hasLast = false
  let last = -1
  /** The last line of each stream may still grow where it stands, while another stream goes on. */
  const open = new Map<LogStream, { readonly index: number; readonly line: LogLine }>()

  const lookAgain = (lines: readonly LogLine[]): void => {
    for (const { index, line: before } of open.values()) {
      const line = lines[index]
      if (line === undefined || line === before) continue
      open.set(line.stream, { index, line })
      if (!has(line, words) || found.includes(index)) continue
      found.push(index)
      found.sort((a, b) => a - b)
    }
  }

  return {
    advance: (lines, budget) => {
      lookAgain(lines)
      const complete = lines.length - 1
      const until = Math.min(complete, looked + budget)
      for (; looked < until; looked += 1) {
        const line = lines[looked]
        if (line) open.set(line.stream, { index: looked, line })
        if (has(line, words)) found.push(looked)
      }
      const isThrough = looked >= complete
      hasLast = isThrough && has(lines[complete], words)
      last = complete
      return !isThrough
    },
    matches: () => (hasLast ? [...found, last] : found),
  }
}

function has(line: LogLine | undefined, words: readonly string[]): boolean {
  if (line === undefined || line.isRemark) return false
  return matchesWords({ message: toPlainText(line.text), labels: line.labels ?? {} }, words)
}

/** The match after or before a line, around the ends. Null: there is none. */
export function nextMatch(matches: readonly number[], from: number, step: 1 | -1): number | null {
  const found = step === 1 ? matches.find((index) => index > from) : matches.findLast((index) => index < from)
  return found ?? (step === 1 ? matches[0] : matches.at(-1)) ?? null
}
