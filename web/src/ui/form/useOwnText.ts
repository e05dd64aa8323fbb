import { useState } from 'react'

/**
 * What someone types, while it means the value it belongs to. `1.` and `1` are the same number, and a field that wrote the
 * number back would not let anyone type `1.5`.
 */
export function useOwnText(value: string, meaning: (text: string) => string): [string, (text: string) => void] {
  const [text, setText] = useState(value)
  const shown = meaning(text) === meaning(value) ? text : value
  return [shown, setText]
}
