import type { Component } from './component.ts'
import { toComponentHealth } from './componentHealth.ts'

export const STANDARD_SORTS = ['status', 'name', 'type', 'updated_at'] as const
/** One of the standard ones, or `field:` and the name of a headline property. */
export type ComponentSort = (typeof STANDARD_SORTS)[number] | `field:${string}`
export type SortOrder = 'asc' | 'desc'

const FIELD = 'field:'

export const isComponentSort = (text: string): text is ComponentSort =>
  STANDARD_SORTS.some((sort) => sort === text) || (text.startsWith(FIELD) && text.length > FIELD.length)

/** Third specification, section 3: unhealthy, warning, healthy, info; what nobody knows stands behind. */
const STATUS_RANKS = ['unhealthy', 'warning', 'healthy', 'info']

function statusRank({ health, status }: Component): number {
  const word = toComponentHealth(health) === 'unknown' ? (status?.toLowerCase() ?? '') : toComponentHealth(health)
  const rank = STATUS_RANKS.indexOf(word)
  return rank === -1 ? STATUS_RANKS.length : rank
}

type Key = number | string | null

function toKey(component: Component, sort: Exclude<ComponentSort, 'status'>): Key {
  switch (sort) {
    case 'name':
      return (component.text || component.name).toLowerCase()
    case 'type':
      return component.type?.toLowerCase() || null
    case 'updated_at': {
      const time = Date.parse(component.updated_at ?? '')
      return Number.isNaN(time) ? null : time
    }
    default: {
      const property = component.properties?.find(({ name }) => name === sort.slice(FIELD.length))
      return property?.value ?? (property?.text || null)
    }
  }
}

function compareKeys(a: Key, b: Key): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b
  // Figures before words, so that the order is one.
  if (typeof a !== typeof b) return typeof a === 'number' ? -1 : 1
  return String(a) < String(b) ? -1 : String(a) > String(b) ? 1 : 0
}

/** Worst first is what `desc` on the status means. What has no such value stands at the end in both orders; names and ids break ties. */
export function sortComponents(
  components: readonly Component[],
  sort: ComponentSort,
  order: SortOrder,
): readonly Component[] {
  const sign = order === 'desc' ? -1 : 1
  const byName = (a: Component, b: Component): number =>
    compareKeys(toKey(a, 'name'), toKey(b, 'name')) || compareKeys(a.id, b.id)
  return components.toSorted((a, b) => {
    // Lower ranks are worse: desc puts them first.
    if (sort === 'status') return (statusRank(b) - statusRank(a)) * sign || byName(a, b)
    const [left, right] = [toKey(a, sort), toKey(b, sort)]
    if (left === null || right === null) {
      return left === right ? byName(a, b) : left === null ? 1 : -1
    }
    return compareKeys(left, right) * sign || byName(a, b)
  })
}

/** As they stand in a card. */
export const worstFirst = (components: readonly Component[]): readonly Component[] =>
  sortComponents(components, 'status', 'desc')
