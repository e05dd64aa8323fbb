// Filters as the backend takes them: a comma list of words, `!word` for those that are not wanted, `*` at one end for anything
// (backend reference 2.5 and 2.6). What is asked in SQL is asked here in the same way.

export interface WordFilter {
  /** Any of them. */
  readonly included: readonly string[]
  /** None of them. */
  readonly excluded: readonly string[]
  /** All of them: `pre*`, `*suf`, `*within*`. */
  readonly patterns: readonly string[]
}

/** `a,!b,c*`. @param form `encoded`: each word as it stands in an address, so that it may hold a comma */
export function parseWordFilter(text: string, form: 'plain' | 'encoded' = 'plain'): WordFilter {
  const words = text
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '' && word !== '!')
  const wanted = words.filter((word) => !word.startsWith('!'))
  const isPattern = (word: string): boolean => word.startsWith('*') || word.endsWith('*')
  const read = form === 'encoded' ? decode : (word: string): string => word
  return {
    included: wanted.filter((word) => !isPattern(word)).map(read),
    excluded: words.filter((word) => word.startsWith('!')).map((word) => read(word.slice(1))),
    patterns: wanted.filter(isPattern).map(read),
  }
}

function decode(word: string): string {
  try {
    return decodeURIComponent(word)
  } catch {
    // Not encoded: meant as it is.
    return word
  }
}

/** A three-way filter of an address as the backend takes it: `wanted,!unwanted`. */
export const toWordFilterText = (choices: Iterable<readonly [string, 1 | -1]>): string =>
  Array.from(choices, ([word, choice]) => (choice === -1 ? `!${word}` : word)).join()

/** Nothing is known about what is empty: like a database with null, a filter takes it for neither wanted nor unwanted. */
export function matchesWordFilter(
  { included, excluded, patterns }: WordFilter,
  value: string | null | undefined,
): boolean {
  if (included.length + excluded.length + patterns.length === 0) return true
  if (value == null || value === '') return false
  return (
    (included.length === 0 || included.includes(value)) &&
    !excluded.includes(value) &&
    patterns.every((pattern) => matchesPattern(pattern, value))
  )
}

/** `*` stands for anything, wherever it is. */
function matchesPattern(pattern: string, value: string): boolean {
  const parts = pattern.split('*')
  const [first = '', last = ''] = [parts.at(0), parts.at(-1)]
  if (value.length < first.length + last.length || !value.startsWith(first) || !value.endsWith(last)) return false
  const end = value.length - last.length
  let at = first.length
  for (const part of parts.slice(1, -1)) {
    const found = value.indexOf(part, at)
    if (found === -1 || found + part.length > end) return false
    at = found + part.length
  }
  return true
}
