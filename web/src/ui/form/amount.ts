/** A number; another text stays as it was typed, for the message that says what is wrong with it. Undefined: none. */
export type Amount = number | string | undefined

export function toAmount(text: string): Amount {
  const trimmed = text.trim()
  if (trimmed === '') return undefined
  return /^-?\d+(?:\.\d*)?$/.test(trimmed) ? Number(trimmed) : trimmed
}
