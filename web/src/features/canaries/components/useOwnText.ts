import { useState } from 'react'

/** The number that a text means; another text stays, and the form says what is wrong with it. */
export function toAmount(text: string): number | string | undefined {
  const trimmed = text.trim()
  if (trimmed === '') return undefined
  return /^-?\d+(?:\.\d*)?$/.test(trimmed) ? Number(trimmed) : trimmed
}

/**
 * What somebody types, while it means the value it belongs to. `1.` and `1` are the same number, and a field that wrote the
 * number back would not let anybody type `1.5`.
 */
export function useOwnText(value: string, meaning: (text: string) => string): [string, (text: string) => void] {
  const [text, setText] = useState(value)
  const shown = meaning(text) === meaning(value) ? text : value
  return [shown, setText]
}
