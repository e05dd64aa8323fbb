/** One replacement in a text, in UTF-16 units. */
export interface TextChange {
  readonly index: number
  readonly remove: number
  readonly insert: string
}

/** A change of a Y.Text as its events tell it. */
export type TextDelta = readonly {
  readonly retain?: number
  readonly insert?: unknown
  readonly delete?: number
}[]

/**
 * What was typed. Among equal readings (one more `a` in `aaa`) the one that ends at the caret, because that is where it
 * was typed. Null when nothing changed.
 *
 * @param caret end of the selection after the change
 */
export function toTextChange(before: string, after: string, caret: number): TextChange | null {
  if (before === after) return null
  const shorter = Math.min(before.length, after.length)
  let end = commonEnd(before, after, 0, Math.min(shorter, after.length - caret))
  let start = 0
  while (start < shorter - end && before.charCodeAt(start) === after.charCodeAt(start)) start++
  // The caret stands elsewhere when the browser corrected an earlier word.
  end = commonEnd(before, after, end, shorter - start)
  // Half of a surrogate pair must not be kept apart from its other half.
  if (start > 0 && isHighSurrogate(before.charCodeAt(start - 1))) start--
  if (end > 0 && isLowSurrogate(before.charCodeAt(before.length - end))) end--
  return { index: start, remove: before.length - end - start, insert: after.slice(start, after.length - end) }
}

/** Where a place in the text is after a change. At the place of an insertion it stays in front of what was inserted. */
export function moveThrough(index: number, delta: TextDelta): number {
  let at = 0
  let moved = index
  for (const { retain = 0, insert, delete: removed = 0 } of delta) {
    if (at >= moved && removed === 0) break
    if (typeof insert === 'string') {
      moved += insert.length
      at += insert.length
    } else if (removed > 0) {
      if (at < moved) moved -= Math.min(removed, moved - at)
    } else at += retain
  }
  return moved
}

/** The first `length` units of a text, without half of a surrogate pair at the end. */
export function clip(text: string, length: number): string {
  if (text.length <= length) return text
  const end = Math.max(0, length)
  return text.slice(0, end > 0 && isHighSurrogate(text.charCodeAt(end - 1)) ? end - 1 : end)
}

function commonEnd(before: string, after: string, known: number, most: number): number {
  let end = known
  while (end < most && before.charCodeAt(before.length - 1 - end) === after.charCodeAt(after.length - 1 - end)) end++
  return end
}

const isHighSurrogate = (code: number): boolean => code >= 0xd800 && code <= 0xdbff
const isLowSurrogate = (code: number): boolean => code >= 0xdc00 && code <= 0xdfff
