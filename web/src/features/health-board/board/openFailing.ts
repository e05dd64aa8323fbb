import type { BoardUnit } from './arrangeBoard.ts'

/** Up to this many failing checks, the board shows each of them, and why it fails, without a click. */
export const MAX_OPEN_FAILING = 20
/** An open board closes only well above that, so that one check more or less does not toggle it. */
const MAX_STAY_OPEN_FAILING = 30

export interface OpenFailing {
  /** Ids of groups. */
  readonly ids: ReadonlySet<string>
  /** What the groups were taken from. */
  readonly units: readonly BoardUnit[]
}

const NONE: ReadonlySet<string> = new Set()

/**
 * The groups that stand open because something in them fails, those inside groups too.
 *
 * @param before of the last rows of the same view
 */
export function openFailing(units: readonly BoardUnit[], before?: OpenFailing): OpenFailing {
  const failing = countFailing(units)
  const isOpen = failing <= (before !== undefined && before.ids.size > 0 ? MAX_STAY_OPEN_FAILING : MAX_OPEN_FAILING)
  const ids = isOpen ? new Set(failingGroups(units)) : NONE
  const isSame = before !== undefined && before.ids.size === ids.size && [...ids].every((id) => before.ids.has(id))
  return { ids: isSame ? before.ids : ids, units }
}

const isFailing = (unit: BoardUnit): boolean =>
  unit.kind === 'check' ? unit.check.health === 'unhealthy' : unit.summary.counts.unhealthy > 0

function countFailing(units: readonly BoardUnit[]): number {
  return units.reduce(
    (sum, unit) => sum + (unit.kind === 'group' ? unit.summary.counts.unhealthy : Number(isFailing(unit))),
    0,
  )
}

function failingGroups(units: readonly BoardUnit[]): string[] {
  return units.flatMap((unit) =>
    unit.kind === 'group' && isFailing(unit) ? [unit.id, ...failingGroups(unit.members)] : [],
  )
}
