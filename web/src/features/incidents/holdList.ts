import type { IncidentSummary } from '@watchroom/shared/incidents'

/** Any value that changes its identity with the filters. */
type Filters = object

export interface ListInput {
  /** Every incident. */
  readonly rows: readonly IncidentSummary[]
  /** Those that pass the filters, in order. */
  readonly found: readonly IncidentSummary[]
  readonly filters: Filters
  /** True while somebody points at the list or moves in it by keyboard. */
  readonly isHeld: boolean
}

export interface HeldList extends ListInput {
  /** What the screen shows. */
  readonly shown: readonly IncidentSummary[]
  /** Found, but not shown before the list is let go. */
  readonly waiting: number
}

/**
 * The next state of the list. While it is held its contents are live but no row moves, appears or disappears: a click
 * must not open another incident than the one that was aimed at. New filters are a wish of the person and are never
 * held back.
 */
export function holdList(previous: HeldList | undefined, input: ListInput): HeldList {
  const { rows, found, filters, isHeld } = input
  const isHolding = isHeld && previous !== undefined && previous.filters === filters && previous.shown.length > 0
  if (!isHolding) return { ...input, shown: found, waiting: 0 }
  const current = new Map(rows.map((row) => [row.id, row]))
  const known = new Set(previous.shown.map(({ id }) => id))
  return {
    ...input,
    shown: previous.shown.map((row) => current.get(row.id) ?? row),
    waiting: found.filter(({ id }) => !known.has(id)).length,
  }
}
