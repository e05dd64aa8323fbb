// Random identifiers are the largest part of a board: as base64 they are 21 characters instead of 36.

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
const UUID_DIGITS = 32
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

/** Null when they are not all UUIDs, or so few different ones that deflate does better with the text. */
export function toUuids(values: readonly unknown[]): string | null {
  const areUuids = values.every((value) => typeof value === 'string' && UUID.test(value))
  if (!areUuids || new Set(values).size * 2 < values.length) return null
  const ids = values.map((value) => String(value).replaceAll('-', ''))
  // Digit by digit over all rows: identifiers made about the same time begin alike, and deflate sees the runs.
  let digits = ''
  for (let place = 0; place < UUID_DIGITS; place++) for (const id of ids) digits += id.charAt(place)
  let text = ''
  // Three hexadecimal digits are two characters of base64.
  for (let at = 0; at < digits.length; at += 3) {
    const bits = Number.parseInt(digits.slice(at, at + 3).padEnd(3, '0'), 16)
    text += ALPHABET.charAt(bits >> 6) + ALPHABET.charAt(bits & 63)
  }
  return text
}

/** The ids that `toUuids` packed. @param length how many they were */
export function fromUuids(text: string, length: number): string[] {
  let digits = ''
  for (let at = 0; at < text.length; at += 2) {
    const bits = (ALPHABET.indexOf(text.charAt(at)) << 6) | ALPHABET.indexOf(text.charAt(at + 1))
    digits += bits.toString(16).padStart(3, '0')
  }
  return Array.from({ length }, (_, index) => {
    let id = ''
    for (let place = 0; place < UUID_DIGITS; place++) id += digits.charAt(place * length + index)
    return `${id.slice(0, 8)}-${id.slice(8, 12)}-${id.slice(12, 16)}-${id.slice(16, 20)}-${id.slice(20)}`
  })
}
