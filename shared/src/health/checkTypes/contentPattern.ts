import { z } from 'zod'

const REGEX = /^\/(.+)\/([imsu]*)$/s

/** What a text must contain: `/regex/flags`, else a plain substring. Null when the expression does not compile. */
export function tryParseContentPattern(text: string): { substring: string } | { regex: RegExp } | null {
  const match = REGEX.exec(text)
  if (!match) return { substring: text }
  try {
    return { regex: new RegExp(match[1] ?? '', match[2]) }
  } catch {
    // The engine's message is not shown: callers name the field and the two accepted forms.
    return null
  }
}

export const ContentPatternSchema = z
  .string()
  .min(1)
  .refine((text) => tryParseContentPattern(text) !== null, 'is not a valid regular expression (/pattern/flags)')
