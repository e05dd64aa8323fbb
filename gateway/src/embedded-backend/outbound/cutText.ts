import { clip } from '@watchroom/shared/kernel'

/** At most so many places of a text, no character in halves; what was longer ends in `…`. */
export const cutText = (text: string, max: number): string =>
  text.length <= max ? text : max < 1 ? '' : `${clip(text, max - 1)}…`

/** The same by the bytes that it takes on its way. */
export function cutBytes(text: string, max: number): string {
  const bytes = Buffer.from(text)
  if (bytes.length <= max) return text
  // What is left of a character is none.
  return `${bytes.toString('utf8', 0, max - 3).replace(/\uFFFD+$/, '')}…`
}
