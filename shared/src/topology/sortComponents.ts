import type { Component } from './component.ts'
import { toComponentHealth } from './componentHealth.ts'

export const STANDARD_SORTS = ['status', 'name', 'type', 'updated_at'] as const
/** One of the standard ones, or `field:` and the name of a headline property. */
export type ComponentSort = (typeof STANDARD_SORTS)[number] | `field:${string}`
export type SortOrder = 'asc' | 'desc'

const FIELD = 'field:'
const MAX_LETTERS = 200

/** What an order is made of. */
export type Sortable = Pick<
  Component,
  'id' | 'name' | 'text' | 'type' | 'health' | 'status' | 'updated_at' | 'properties'
>

/** Whether a text from an address names a way to sort: a standard one, or `field:` with the name of a property. */
export const isComponentSort = (text: string): text is ComponentSort =>
  STANDARD_SORTS.some((sort) => sort === text) ||
  (text.startsWith(FIELD) && text.length > FIELD.length && text.length <= MAX_LETTERS)

/** Third specification, section 3: unhealthy, warning, healthy, info; what nobody knows stands behind. */
const STATUS_RANKS = ['unhealthy', 'warning', 'healthy', 'info']

function statusRank({ health, status }: Sortable): number {
  const word = toComponentHealth(health) === 'unknown' ? (status?.toLowerCase() ?? '') : toComponentHealth(health)
  const rank = STATUS_RANKS.indexOf(word)
  return rank === -1 ? STATUS_RANKS.length : rank
}

type Key = number | string | null

const toName = ({ text, name }: Sortable): string => (text || name).toLowerCase()

function toKey(component: Sortable, sort: ComponentSort): Key {
  switch (sort) {
    case 'status':
      // Lower ranks are worse: desc puts them first.
      return -statusRank(component)
    case 'name':
      return toName(component)
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

function compareKeys(a: number | string, b: number | string): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b
  // Figures before words, so that the order is one.
  if (typeof a !== typeof b) return typeof a === 'number' ? -1 : 1
  return String(a) < String(b) ? -1 : String(a) > String(b) ? 1 : 0
}

/** Worst first is what `desc` on the status means. What has no such value stands at the end in both orders; names and ids break ties. */
export function sortComponents<Row extends Sortable>(
  components: readonly Row[],
  sort: ComponentSort,
  order: SortOrder,
): readonly Row[] {
  if (components.length < 2) return components
  const sign = order === 'desc' ? -1 : 1
  // Worked out once for each: thousands are compared with each other.
  const keyed = components.map((component) => ({
    component,
    key: toKey(component, sort),
    name: toName(component),
  }))
  keyed.sort((a, b) => {
    if (a.key !== b.key) {
      if (a.key === null || b.key === null) return a.key === null ? 1 : -1
      const byKey = compareKeys(a.key, b.key) * sign
      if (byKey !== 0) return byKey
    }
    if (a.name !== b.name) return a.name < b.name ? -1 : 1
    return a.component.id < b.component.id ? -1 : a.component.id > b.component.id ? 1 : 0
  })
  return keyed.map(({ component }) => component)
}

/** As they stand in a card. */
export const worstFirst = <Row extends Sortable>(components: readonly Row[]): readonly Row[] =>
  sortComponents(components, 'status', 'desc')
