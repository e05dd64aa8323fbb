const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const SUFFIX_LENGTH = 3

/**
 * A text that sorts strictly between two neighbors (either may be null: the end of the list). A random suffix keeps
 * two people who insert at the same place at the same time apart.
 *
 * @param random 0 ≤ x < 1
 * @throws RangeError when `before` does not sort below `after`
 */
export function orderKeyBetween(before: string | null, after: string | null, random: () => number): string {
  if (before !== null && after !== null && before >= after) {
    throw new RangeError(`no order key between ${before} and ${after}`)
  }
  const suffix = Array.from(
    { length: SUFFIX_LENGTH },
    () => DIGITS[1 + Math.floor(random() * (DIGITS.length - 1))],
  ).join('')
  return midpoint(before ?? '', after) + suffix
}

/** Shortest text between `a` and `b` (b null: unbounded). Never ends in the lowest digit, so that there is room below it. */
function midpoint(a: string, b: string | null): string {
  let prefix = ''
  for (let index = 0; ; index++) {
    const low = index < a.length ? DIGITS.indexOf(a.charAt(index)) : 0
    const high = b === null ? DIGITS.length : index < b.length ? DIGITS.indexOf(b.charAt(index)) : 0
    if (low === high) {
      prefix += DIGITS.charAt(low)
      continue
    }
    const middle = Math.floor((low + high) / 2)
    if (middle > low) return prefix + DIGITS.charAt(middle)
    // Neighboring digits: keep the lower one and go on above the rest of `a`, without an upper bound from here.
    return prefix + DIGITS.charAt(low) + midpoint(a.slice(index + 1), null)
  }
}
