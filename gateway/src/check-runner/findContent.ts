import { tryParseContentPattern } from '@watchroom/shared/health/check-types'

import { withinBudget } from './withinBudget.ts'

export type ContentMatch = 'found' | 'missing' | 'too slow' | 'malformed'

/** Whether the text contains what `pattern` says: `/regex/flags`, else a plain substring. */
export function findContent(text: string, pattern: string): ContentMatch {
  const parsed = tryParseContentPattern(pattern)
  if (parsed === null) return 'malformed'
  if ('substring' in parsed) return text.includes(parsed.substring) ? 'found' : 'missing'
  const tested = withinBudget(() => parsed.regex.test(text))
  if ('ended' in tested) return 'too slow'
  return tested.found ? 'found' : 'missing'
}
