import { CHECK_TYPES, isCheckType } from '@watchroom/shared/health/check-types'

import { toCheckFields } from './checkFields.ts'

type Spec = Readonly<Record<string, unknown>>

const FIRST_KEYS = ['schedule', 'interval', 'severity', 'owner', 'icon', ...CHECK_TYPES]
const FIRST_FIELDS = ['name', 'description']

/** A stored spec in the order in which people write one: the database keeps keys by their length. */
export function orderSpec(spec: Spec): Spec {
  const ordered = orderKeys(spec, FIRST_KEYS)
  return Object.fromEntries(
    Object.entries(ordered).map(([key, value]) => {
      if (!isCheckType(key) || !Array.isArray(value)) return [key, value]
      const fields = [...FIRST_FIELDS, ...toCheckFields(key).map((field) => field.key)]
      return [key, value.map((check: unknown) => (isMap(check) ? orderKeys(mapValues(check), fields) : check))]
    }),
  )
}

const isMap = (value: unknown): value is Spec => typeof value === 'object' && value !== null && !Array.isArray(value)

/** What is inside of a field begins with its name: `{name, value}` and `{name, key}`. */
const mapValues = (map: Spec): Spec =>
  Object.fromEntries(Object.entries(map).map(([key, value]) => [key, nameFirst(value)]))

function nameFirst(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(nameFirst)
  return isMap(value) ? orderKeys(mapValues(value), ['name']) : value
}

/** Known keys first, in their order; the others follow as they came. */
function orderKeys(map: Spec, known: readonly string[]): Spec {
  const first = known.filter((key) => Object.hasOwn(map, key)).map((key) => [key, map[key]] as const)
  return Object.fromEntries([...first, ...Object.entries(map)])
}
