/** `a`, `a and b`, `a, b and c`; with an `atMost` of 2, `a, b and 3 more`. */
export function listNames(names: readonly string[], atMost = Infinity): string {
  if (names.length <= 1) return names.join('')
  const head = names.slice(0, Math.min(atMost, names.length - 1))
  const rest = names.length - head.length
  return `${head.join(', ')} and ${rest === 1 ? names.at(-1) : `${rest} more`}`
}
