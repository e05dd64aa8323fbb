import { ownValue } from '../kernel/index.ts'

/** Equality of JSON values. A field that is undefined equals one that is absent, as on the wire. */
export function deepEqual(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  if (Array.isArray(a) || Array.isArray(b)) {
    return (
      Array.isArray(a) && Array.isArray(b) && a.length === b.length && a.every((item, at) => deepEqual(item, b[at]))
    )
  }
  const left = a as Record<string, unknown>
  const right = b as Record<string, unknown>
  for (const key in left) if (!deepEqual(left[key], ownValue(right, key))) return false
  for (const key in right) if (right[key] !== undefined && ownValue(left, key) === undefined) return false
  return true
}
