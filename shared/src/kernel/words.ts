// What a text must be so that people can read it and every table can hold it. The tables judge by the same lists
// (`BLANK_RANGES` for SQL), so that what a document refuses its table refuses too.

/**
 * Code points that show nothing: blanks, controls, formats, fillers and marks that only choose a form. First and last of each
 * range. A text of nothing else is blank.
 */
export const BLANK_RANGES: readonly (readonly [number, number])[] = [
  [0x0000, 0x0020],
  [0x007f, 0x00a0],
  [0x00ad, 0x00ad],
  [0x034f, 0x034f],
  [0x061c, 0x061c],
  [0x115f, 0x1160],
  [0x1680, 0x1680],
  [0x17b4, 0x17b5],
  [0x180b, 0x180f],
  [0x2000, 0x200f],
  [0x2028, 0x202f],
  [0x205f, 0x206f],
  [0x2800, 0x2800],
  [0x3000, 0x3000],
  [0x3164, 0x3164],
  [0xfe00, 0xfe0f],
  [0xfeff, 0xfeff],
  [0xffa0, 0xffa0],
  [0xfff0, 0xfffb],
  [0x1bca0, 0x1bca3],
  [0x1d173, 0x1d17a],
  [0xe0000, 0xe0fff],
]

/** With this flag, halves of surrogate pairs only where the other half is missing. */
const UNSTORABLE = /[\0\p{Surrogate}]/u
/** Of a value as JSON; what people and programs attach has a handful of levels. */
const MAX_DEPTH = 32

/** Whether a text shows nothing to its readers. */
export function isBlank(text: string): boolean {
  for (const character of text) if (!isInvisible(character.codePointAt(0) ?? 0)) return false
  return true
}

function isInvisible(codePoint: number): boolean {
  return BLANK_RANGES.some(([first, last]) => codePoint >= first && codePoint <= last)
}

/**
 * Whether every table takes a text: PostgreSQL holds no NUL, and half of a surrogate pair is no character in any encoding.
 * One such text in a row, and the row cannot be written or read for anyone.
 */
export function isStorable(text: string): boolean {
  return !UNSTORABLE.test(text)
}

/** The text without what no table takes. */
export function toStorable(text: string): string {
  return isStorable(text) ? text : text.replaceAll('\0', '').replaceAll(/\p{Surrogate}/gu, '\ufffd')
}

/**
 * Whether a value is plain, so that it is the same after any way of writing it down, and every text in it can be stored, keys
 * included, and it is not nested without end. What an object inherits can be read and is never written: under the key
 * `__proto__` a decoder hides a whole entry that way.
 */
export function isStorableValue(value: unknown, depth = MAX_DEPTH): boolean {
  if (typeof value === 'string') return isStorable(value)
  if (typeof value === 'number') return Number.isFinite(value)
  if (typeof value !== 'object' || value === null) return typeof value !== 'bigint'
  if (depth === 0) return false
  if (Array.isArray(value)) return value.every((part) => isStorableValue(part, depth - 1))
  return (
    isPlain(value) &&
    Object.entries(value).every(
      ([key, part]) => key !== '__proto__' && isStorable(key) && isStorableValue(part, depth - 1),
    )
  )
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

/** For `JSON.stringify`: leaves out of all texts, keys included, what no table takes. */
export function toStorablePart(_key: string, value: unknown): unknown {
  if (typeof value === 'string') return toStorable(value)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.keys(value).every(isStorable)
    ? value
    : Object.fromEntries(Object.entries(value).map(([key, part]) => [toStorable(key), part as unknown]))
}
