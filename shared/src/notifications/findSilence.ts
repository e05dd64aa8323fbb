import { parseTimestamp } from '../time/index.ts'

const endOf = ({ until }: { readonly until: string }): number => parseTimestamp(until) ?? 0

interface Silence {
  readonly from: string
  readonly until: string
  readonly about: { readonly id: string } | null
  readonly isRecursive: boolean
  readonly covers: readonly string[]
}

export interface SilencedResource {
  readonly id: string
  /** Of the canary that a check belongs to. */
  readonly canaryId?: string | null | undefined
  /** Ids of what is above it, joined by dots. */
  readonly path?: string | null | undefined
}

/**
 * The silence that holds a resource back: one of its own before one of what is above it. What a silence covers says the backend; one
 * that does not say it silences what is named, the checks of a canary, and what is below where that is asked for.
 *
 * @param now milliseconds since the epoch
 */
export function findSilence<Row extends Silence>(
  silences: readonly Row[],
  { id, canaryId, path }: SilencedResource,
  now: number,
): Row | undefined {
  const above = new Set((path ?? '').split('.'))
  const holding = silences
    .filter(
      ({ from, until, isRecursive, covers }) =>
        (parseTimestamp(from) ?? Infinity) <= now &&
        now < endOf({ until }) &&
        covers.some((each) => each === id || each === canaryId || (isRecursive && above.has(each))),
    )
    .toSorted((one, other) => endOf(other) - endOf(one))
  return holding.find(({ about }) => about?.id === id) ?? holding[0]
}
