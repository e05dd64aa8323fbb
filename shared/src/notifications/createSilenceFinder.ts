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

/** The silence that holds a resource back, if one does. */
export type SilenceFinder<Row> = (resource: SilencedResource) => Row | undefined

/**
 * Finds the silence that holds a resource back at a moment: one of its own before one of what is above it, and of these the last to
 * end. What a silence covers says the backend; one that does not say it silences what is named, the checks of a canary, and what is
 * below where that is asked for. Many resources can be asked about: the silences are read once.
 *
 * @param now milliseconds since the epoch
 */
export function createSilenceFinder<Row extends Silence>(silences: readonly Row[], now: number): SilenceFinder<Row> {
  const covering = new Map<string, Row[]>()
  for (const silence of silences) {
    if (now < (parseTimestamp(silence.from) ?? Infinity) || endOf(silence) <= now) continue
    for (const id of silence.covers) covering.set(id, [...(covering.get(id) ?? []), silence])
  }
  const of = (id: string | null | undefined): readonly Row[] => covering.get(id ?? '') ?? []
  return ({ id, canaryId, path }) => {
    const above = (path ?? '').split('.').flatMap((each) => of(each).filter(({ isRecursive }) => isRecursive))
    const holding = [...of(id), ...of(canaryId), ...above].toSorted((one, other) => endOf(other) - endOf(one))
    return holding.find(({ about }) => about?.id === id) ?? holding[0]
  }
}
