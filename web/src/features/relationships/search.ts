import { ownValue } from '@watchroom/shared/kernel'
import { z } from 'zod'

import { booleanField } from '../../url/searchFields.ts'
import { parseThreeWay, stringifyThreeWay, type ThreeWayFilter } from '../../url/threeWay.ts'

const filter = z
  .string()
  .transform((text) => stringifyThreeWay(parseThreeWay(text)))
  .catch('')

const FieldsSchema = z.object({
  // What is asked for at first is also what the switches show.
  outgoing: booleanField(true),
  incoming: booleanField(),
  soft: booleanField(true),
  configTypes: filter,
  status: filter,
  health: filter,
  /** `key:value`. */
  tags: filter,
})

/** What a link to the relationships of an item carries. The filters are three-way. */
export const RelationshipSearchSchema = FieldsSchema.transform((search) =>
  // A link that asks for neither direction asks for nothing.
  search.outgoing || search.incoming ? search : { ...search, outgoing: true },
)
export type RelationshipSearch = z.infer<typeof RelationshipSearchSchema>

export const NO_FILTERS = {
  configTypes: '',
  status: '',
  health: '',
  tags: '',
} as const satisfies Partial<RelationshipSearch>

/** Turning Incoming off forces Outgoing on (third specification, section 2). */
export const switchIncoming = (isOn: boolean): Partial<RelationshipSearch> =>
  isOn ? { incoming: true } : { incoming: false, outgoing: true }

const SEPARATOR = ':'

export const toTagKey = (key: string, value: string): string => key + SEPARATOR + value

/** Tags are asked here, not by the backend: of each key any of the wanted ones, and none of the others. */
export function matchesTags(
  tags: Readonly<Record<string, string>> | null | undefined,
  filters: ThreeWayFilter,
): boolean {
  const wanted = new Map<string, boolean>()
  for (const [tag, choice] of filters) {
    const at = tag.indexOf(SEPARATOR)
    const key = tag.slice(0, at)
    const isSame = ownValue(tags ?? {}, key) === tag.slice(at + 1)
    if (choice === -1 && isSame) return false
    if (choice === 1) wanted.set(key, isSame || wanted.get(key) === true)
  }
  return [...wanted.values()].every(Boolean)
}
