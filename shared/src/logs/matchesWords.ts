import type { LogLine } from './logLine.ts'

/** The words of a query, as they are looked for. */
export const toWords = (query: string): string[] => query.toLowerCase().split(/\s+/).filter(Boolean)

/** Whether a line has all words, in its message or as `name=value` of its labels. */
export function matchesWords(
  { message, labels }: Pick<LogLine, 'message' | 'labels'>,
  words: readonly string[],
): boolean {
  if (words.length === 0) return true
  const text = message.toLowerCase()
  const missing = words.filter((word) => !text.includes(word))
  if (missing.length === 0) return true
  const pairs = Object.entries(labels).map(([name, value]) => `${name}=${value}`.toLowerCase())
  return missing.every((word) => pairs.some((pair) => pair.includes(word)))
}
