/** Letters that stand for a name where there is no picture: of its first and its last word; `?` of no name. */
export function toInitials(name: string): string {
  const words = name.match(/[\p{L}\p{N}]+/gu) ?? []
  const ends = words.length > 1 ? [words[0], words.at(-1)] : words
  return (
    ends
      .map((word = '') => String.fromCodePoint(word.codePointAt(0) ?? 0))
      .join('')
      .toUpperCase() || '?'
  )
}
