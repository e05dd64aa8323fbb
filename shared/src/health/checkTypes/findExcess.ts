// Definitions that nobody wrote by hand: YAML whose aliases multiply, values nested thousands deep. They are refused before
// anything walks through them.
import type { SpecProblem } from './checkTypes.ts'

const MAX_DEPTH = 32
/** Values and keys; a large canary has some ten thousand. */
const MAX_PARTS = 100_000
const MAX_CHARACTERS = 1_048_576
const TOO_MANY = `has more than ${MAX_PARTS} parts; aliases count each time they are used`

/** What is too much about the spec of a canary, by its field; null when nothing is. */
export function findExcess(spec: object): SpecProblem | null {
  let parts = 0
  let characters = 0

  /** Not recursive: the depth is what may be too much. */
  function measure(value: unknown): string | null {
    const waiting: { value: unknown; depth: number }[] = [{ value, depth: 1 }]
    for (let next = waiting.pop(); next; next = waiting.pop()) {
      if (++parts > MAX_PARTS) return TOO_MANY
      if (typeof next.value === 'string') characters += next.value.length
      else if (typeof next.value === 'object' && next.value !== null) {
        if (next.depth > MAX_DEPTH) return `is nested deeper than ${MAX_DEPTH} levels`
        const isList = Array.isArray(next.value)
        const entries: [string, unknown][] = Object.entries(next.value)
        if (parts + entries.length > MAX_PARTS) return TOO_MANY
        for (const [key, part] of entries) {
          if (!isList) characters += key.length
          waiting.push({ value: part, depth: next.depth + 1 })
        }
      }
      if (characters > MAX_CHARACTERS) return `is longer than ${MAX_CHARACTERS} characters`
    }
    return null
  }

  for (const [field, value] of Object.entries(spec)) {
    const message = measure(value)
    if (message !== null) return { type: 'canary', path: field.slice(0, 100), message }
  }
  return null
}
