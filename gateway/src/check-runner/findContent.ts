import { createContext, Script } from 'node:vm'

import { tryParseContentPattern } from '@watchroom/shared/health/check-types'

/** An expression that backtracks without end must not stop the event loop: all other checks run on it. */
const REGEX_BUDGET_MS = 100

export type ContentMatch = 'found' | 'missing' | 'too slow' | 'malformed'

/** Whether the text contains what `pattern` says: `/regex/flags`, else a plain substring. */
export function findContent(text: string, pattern: string): ContentMatch {
  const parsed = tryParseContentPattern(pattern)
  if (parsed === null) return 'malformed'
  if ('substring' in parsed) return text.includes(parsed.substring) ? 'found' : 'missing'
  const { source, flags } = parsed.regex
  try {
    const script = new Script('new RegExp(source, flags).test(text)')
    return script.runInContext(createContext({ source, flags, text }), { timeout: REGEX_BUDGET_MS }) === true
      ? 'found'
      : 'missing'
  } catch {
    // The expression compiled before, so only the time limit can end it.
    return 'too slow'
  }
}
