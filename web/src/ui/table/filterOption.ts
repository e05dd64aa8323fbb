import type { ThreeWayChoice, ThreeWayFilter } from '../../url/threeWay.ts'

export interface FilterOption {
  readonly value: string
  readonly label: string
  /** Rows that have it. */
  readonly count?: number
}

export const toOptionText = ({ label, count }: FilterOption): string =>
  count === undefined ? label : `${label} (${count})`

/** @param choice 0: the value is neither wanted nor unwanted */
export function withChoice(filter: ThreeWayFilter, value: string, choice: ThreeWayChoice | 0): ThreeWayFilter {
  const next = new Map(filter)
  if (choice === 0) next.delete(value)
  else next.set(value, choice)
  return next
}
