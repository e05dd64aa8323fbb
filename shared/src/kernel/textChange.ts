// The one difference of two texts (DOC-21): what one replacement leads from the one to the other, in whole characters as a
// person sees them. A flag, a family of emoji or a letter with its accents is several code points and up to a dozen UTF-16
// units; half of one is another character, or none at all.

/** One replacement in a text, in UTF-16 units. */
export interface TextChange {
  readonly index: number
  readonly remove: number
  readonly insert: string
}

/** No character below this is ever joined to its neighbor, but for a line feed behind a carriage return. */
const FIRST_JOINING = 0x300
const LINE_FEED = 0x0a
/** UTF-16 units to either side that are looked at where no plain letter ends the search sooner. */
const NEIGHBORHOOD = 256

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

/** Whether a place lies between two characters and not within one. */
export function isCharacterBoundary(text: string, index: number): boolean {
  return characterAround(text, index) === null
}

/** The place itself, or where the character that it lies within begins. */
function characterStart(text: string, index: number): number {
  return characterAround(text, index)?.start ?? index
}

/** The place itself, or where the character that it lies within ends. */
function characterEnd(text: string, index: number): number {
  return characterAround(text, index)?.end ?? index
}

/** The character that a place lies within; null between two. Looks at the neighborhood alone: texts are long, and people type. */
function characterAround(text: string, index: number): { start: number; end: number } | null {
  if (index <= 0 || index >= text.length) return null
  const next = text.charCodeAt(index)
  // Nearly every place of nearly every text.
  if (next < FIRST_JOINING && next !== LINE_FEED && text.charCodeAt(index - 1) < FIRST_JOINING) return null
  let from = Math.max(0, index - 1)
  while (from > 0 && index - from < NEIGHBORHOOD && text.charCodeAt(from) >= FIRST_JOINING) from--
  const found = graphemes.segment(text.slice(from, index + NEIGHBORHOOD)).containing(index - from)
  if (!found || found.index === index - from) return null
  return { start: from + found.index, end: from + found.index + found.segment.length }
}

/** The first `length` units of a text, without a part of a character at the end. */
export function clip(text: string, length: number): string {
  return text.length <= length ? text : text.slice(0, characterStart(text, Math.max(0, length)))
}

/**
 * The smallest replacement of whole characters that leads from `before` to `after`; null when they are equal. Among equal
 * readings (one more `a` in `aaa`) the one that ends at the caret, because that is where it was typed.
 *
 * @param caret end of the selection after the change; without one the replacement lies as far back as it can
 */
export function toTextChange(before: string, after: string, caret: number = after.length): TextChange | null {
  if (before === after) return null
  const shorter = Math.min(before.length, after.length)
  let end = commonEnd(before, after, 0, Math.min(shorter, after.length - caret))
  let start = 0
  while (start < shorter - end && before.charCodeAt(start) === after.charCodeAt(start)) start++
  // What both have in common ends where a character ends in both: the same units can be a part of another character.
  for (let common = -1; common !== start;) {
    common = start
    start = Math.min(characterStart(before, start), characterStart(after, start))
  }
  // The caret stands elsewhere when the browser corrected an earlier word.
  end = commonEnd(before, after, end, shorter - start)
  for (let common = -1; common !== end;) {
    common = end
    end = Math.min(toEnd(before, end), toEnd(after, end))
  }
  return { index: start, remove: before.length - end - start, insert: after.slice(start, after.length - end) }
}

/**
 * The change from `before` to `after`, made in a text that came from `before` and may have changed otherwise since: behind the
 * same beginning, or before the same end. Null when it has no place in it any more, or would cut a character in two.
 */
export function transferTextChange(before: string, after: string, mine: string): TextChange | null {
  const change = toTextChange(before, after)
  if (change === null || mine === before) return change
  const { index, remove, insert } = change
  const removed = before.slice(index, index + remove)
  const places = [
    ...(mine.startsWith(before.slice(0, index)) ? [index] : []),
    ...(mine.endsWith(before.slice(index)) ? [mine.length - before.length + index] : []),
  ]
  const at = places.find(
    (place) =>
      mine.startsWith(removed, place) && isCharacterBoundary(mine, place) && isCharacterBoundary(mine, place + remove),
  )
  return at === undefined ? null : { index: at, remove, insert }
}

/** The same distance from the end of a text, or a smaller one that cuts no character in two. */
const toEnd = (text: string, distance: number): number => text.length - characterEnd(text, text.length - distance)

function commonEnd(before: string, after: string, known: number, most: number): number {
  let end = known
  while (end < most && before.charCodeAt(before.length - 1 - end) === after.charCodeAt(after.length - 1 - end)) end++
  return end
}
