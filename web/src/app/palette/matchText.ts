/** Punctuation and spaces, where the server splits names. */
const BETWEEN_WORDS = /[\s!-/:-@[-`{-~]+/

const wordsOf = (text: string): string[] => text.toLowerCase().split(BETWEEN_WORDS).filter(Boolean)

/**
 * How well a title matches the typed text, by the rules of the server's search: each typed word must be the start of a word in the title.
 *
 * @returns 0 for the title itself, 1 for its beginning, 2 for words inside, null for no match
 */
export function matchText(title: string, typed: string): number | null {
  const text = typed.trim().toLowerCase()
  const lowered = title.toLowerCase()
  if (lowered === text) return 0
  if (lowered.startsWith(text)) return 1
  const words = wordsOf(title)
  const asked = wordsOf(text)
  return asked.length > 0 && asked.every((each) => words.some((word) => word.startsWith(each))) ? 2 : null
}

/** The items that match by title, or by title and note, best first, otherwise in their order. An empty text matches everything. */
export function bestMatches<Item extends { readonly title: string; readonly note?: string }>(
  items: readonly Item[],
  typed: string,
): Item[] {
  if (typed.trim() === '') return [...items]
  return items
    .flatMap((item) => {
      const rank =
        matchText(item.title, typed) ?? (matchText(`${item.title} ${item.note ?? ''}`, typed) === null ? null : 3)
      return rank === null ? [] : [{ item, rank }]
    })
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ item }) => item)
}
