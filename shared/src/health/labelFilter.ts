import type { CheckSummary } from './checkSummary.ts'

// Filters by label. Pure: how a filter is written into the address is the business of the web client.

/** 1 includes, -1 excludes; a label that is not in the filter has no say. */
export type LabelChoice = 1 | -1

/** Choice by label id. */
export type LabelFilter = ReadonlyMap<string, LabelChoice>

export const NO_LABEL_FILTER: LabelFilter = new Map()

type Labels = CheckSummary['labels']

/** Id of a label in filters and links. */
export const toLabelId = (key: string, value: string): string => `canary:${key}:${value}`

/** Key alone when the value only says that the label is there. */
export const toLabelText = (key: string, value: string): string => (value === 'true' ? key : `${key}: ${value}`)

export interface LabelValue {
  readonly id: string
  readonly key: string
  readonly value: string
  readonly text: string
  /** Checks that carry it. */
  readonly count: number
}

export interface LabelGroup {
  readonly key: string
  /** No value but `true` and `false` is in use. */
  readonly isBoolean: boolean
  /** Sorted by value. */
  readonly values: readonly LabelValue[]
}

const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/** Labels in use, grouped by key, both sorted. */
export function toLabelGroups(rows: Iterable<Pick<CheckSummary, 'labels'>>): LabelGroup[] {
  const counts = new Map<string, Map<string, number>>()
  for (const { labels } of rows) {
    for (const [key, value] of Object.entries(labels)) {
      const values = counts.get(key) ?? new Map<string, number>()
      counts.set(key, values.set(value, (values.get(value) ?? 0) + 1))
    }
  }
  return [...counts]
    .toSorted(([a], [b]) => compareText(a, b))
    .map(([key, values]) => ({
      key,
      isBoolean: [...values.keys()].every((value) => value === 'true' || value === 'false'),
      values: [...values]
        .toSorted(([a], [b]) => compareText(a, b))
        .map(([value, count]) => ({ id: toLabelId(key, value), key, value, text: toLabelText(key, value), count })),
    }))
}

/** The part of a filter that says something about these checks: ids that no check carries are ignored. */
export function toKnownFilter(rows: Iterable<Pick<CheckSummary, 'labels'>>, filter: LabelFilter): LabelFilter {
  if (filter.size === 0) return filter
  const known = new Map<string, LabelChoice>()
  for (const { labels } of rows) {
    if (known.size === filter.size) break
    for (const key in labels) {
      const id = toLabelId(key, labels[key] ?? '')
      const choice = filter.get(id)
      if (choice !== undefined) known.set(id, choice)
    }
  }
  return known
}

/**
 * Whether a check with these labels stays. One excluded label hides it; of the included ones it needs any.
 *
 * @param known a filter without foreign ids (`toKnownFilter`): an included id that nothing carries would hide everything
 */
export function matchesLabels(labels: Labels, known: LabelFilter): boolean {
  if (known.size === 0) return true
  let isIncluded = false
  for (const key in labels) {
    const choice = known.get(toLabelId(key, labels[key] ?? ''))
    if (choice === -1) return false
    if (choice === 1) isIncluded = true
  }
  return isIncluded || ![...known.values()].includes(1)
}
