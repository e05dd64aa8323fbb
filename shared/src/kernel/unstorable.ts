import { isStorable, toStorable } from './words.ts'

/** Of a value as JSON; deeper ones are nobody's definition, and a reader of them may run out of stack. */
const MAX_DEPTH = 32

/**
 * Where in a JSON value something stands that no table takes, keys included, and what.
 *
 * @returns a sentence that begins with the path, `labels.site: holds …`; null when there is nothing
 */
export function describeUnstorable(value: unknown, path = '', depth = MAX_DEPTH): string | null {
  if (typeof value === 'string')
    return isStorable(value) ? null : `${path}: holds a NUL character or half of a surrogate pair`
  if (typeof value !== 'object' || value === null) return null
  if (depth === 0) return `${path.split('.', 3).join('.')}: is nested deeper than ${MAX_DEPTH} levels`
  for (const [key, part] of Object.entries(value)) {
    const place = path === '' ? toStorable(key) : `${path}.${toStorable(key)}`
    const found = isStorable(key)
      ? describeUnstorable(part, place, depth - 1)
      : `${place}: the name holds a NUL character or half of a surrogate pair`
    if (found !== null) return found
  }
  return null
}
