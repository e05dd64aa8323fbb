import type { CheckFacts } from '@watchroom/shared/health'

import type { Board, BoardUnit, CheckUnit } from './arrangeBoard.ts'

/** What is on screen, and how many lines wait until the order may change again. */
export interface HeldBoard {
  readonly units: readonly BoardUnit[]
  readonly waiting: number
}

/** Order of the lines at the moment it was frozen. */
export interface FrozenOrder {
  readonly units: readonly BoardUnit[]
}

function refreshCheck(frozen: CheckUnit, shown: CheckUnit | undefined, current: CheckFacts | undefined): CheckUnit {
  if (shown !== undefined) return shown
  const check = current ?? frozen.check
  // Keeps its identity while nothing changes, so that the row does not render again.
  return frozen.isLeaving && frozen.check === check ? frozen : { ...frozen, check, isLeaving: true }
}

function byId<Unit extends BoardUnit>(units: readonly Unit[]): Map<string, Unit> {
  return new Map(units.map((unit) => [unit.id, unit]))
}

/**
 * The fresh board in the order of the frozen one: contents are live, but no line moves, appears or disappears while
 * someone points at one. A line that left the view stays, marked; a line that came into it waits and is counted.
 *
 * @param current facts of every check by id, also of those that the view hides
 */
export function holdBoard(frozen: FrozenOrder, fresh: Board, current: ReadonlyMap<string, CheckFacts>): HeldBoard {
  let waiting = 0

  const hold = (frozenUnits: readonly BoardUnit[], freshUnits: readonly BoardUnit[]): BoardUnit[] => {
    const freshById = byId(freshUnits)
    const held = frozenUnits.map((unit): BoardUnit => {
      const shown = freshById.get(unit.id)
      freshById.delete(unit.id)
      if (unit.kind === 'check') {
        return refreshCheck(unit, shown?.kind === 'check' ? shown : undefined, current.get(unit.id))
      }
      const known = fresh.known.get(unit.id)
      const group = known?.kind === 'group' ? known : unit
      const members = hold(unit.members, shown?.kind === 'group' ? shown.members : [])
      const isLeaving = shown === undefined
      const isUnchanged =
        group.summary === unit.summary &&
        isLeaving === unit.isLeaving &&
        members.every((member, index) => member === unit.members[index])
      return isUnchanged ? unit : { ...group, members, isLeaving }
    })
    waiting += freshById.size
    return held
  }
  return { units: hold(frozen.units, fresh.units), waiting }
}
