import { isCheckType } from '@watchroom/shared/health/check-types'

type Spec = Readonly<Record<string, unknown>>

/** A new canary's only check is called like the canary when nobody gave it a name: the board would show its address. */
export function nameOnlyCheck(spec: Spec, name: string): Spec {
  const lists = Object.entries(spec).filter((entry): entry is [string, unknown[]] => Array.isArray(entry[1]))
  const [type, checks] = lists[0] ?? ['', []]
  const [check] = checks
  if (name === '') return spec
  if (lists.length !== 1 || checks.length !== 1 || !isCheckType(type)) return spec
  if (typeof check !== 'object' || check === null || 'name' in check) return spec
  return { ...spec, [type]: [{ name, ...check }] }
}
