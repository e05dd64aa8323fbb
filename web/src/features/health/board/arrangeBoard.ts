import {
  type CheckFacts,
  type CheckGroup,
  compareBy,
  countHealth,
  type GroupBy,
  groupChecks,
  type GroupSummary,
  type HealthCounts,
  matchesQuery,
  type Sortable,
  type SortColumn,
  summarizeGroup,
} from '@watchroom/shared/health'

// Turns the rows of the board into the lines of the screen. Pure: knows nothing of the pointer (`holdBoard`) or of React.
// Runs up to ten times a second over 10,000 checks, so whatever did not change is taken over from the board before: the
// identity of an untouched unit is kept, and sorting starts from the order of last time, which is nearly right.

/** How the person wants to see the checks. A new object means a new choice. */
export interface BoardView {
  readonly query: string
  readonly hidePassing: boolean
  readonly groupBy: GroupBy
  readonly sortBy: SortColumn
  readonly isDescending: boolean
}

export interface CheckUnit {
  readonly kind: 'check'
  readonly id: string
  readonly title: string
  readonly check: CheckFacts
  /** Still shown because the order is held, although the view no longer has it. */
  readonly isLeaving: boolean
}

export interface GroupUnit extends Sortable {
  readonly kind: 'group'
  readonly id: string
  readonly title: string
  /** Over all members that match the search, the passing ones hidden or not. */
  readonly summary: GroupSummary
  /** The members to show, in order. */
  readonly members: readonly CheckUnit[]
  readonly isLeaving: boolean
}

export type BoardUnit = CheckUnit | GroupUnit

export interface Board {
  readonly view: BoardView
  readonly units: readonly BoardUnit[]
  /** Everything the search leaves, hidden units included, by unit id: what a held line is refreshed from. */
  readonly known: ReadonlyMap<string, BoardUnit>
  /** Over all checks, whatever the view. */
  readonly counts: HealthCounts
  /** Checks that the search leaves. */
  readonly matching: number
  /** Identity of the members a unit was made from, by unit id. */
  readonly sources: ReadonlyMap<string, readonly CheckFacts[]>
}

const toGroupId = (key: string): string => `group:${key}`

function toSortable(unit: BoardUnit): Sortable {
  return unit.kind === 'check' ? unit.check : unit
}

function isPassing(unit: BoardUnit): boolean {
  return unit.kind === 'check' ? unit.check.health === 'healthy' : unit.summary.health === 'good'
}

function toCheckUnit(check: CheckFacts, title: string, known: ReadonlyMap<string, BoardUnit> | undefined): CheckUnit {
  const before = known?.get(check.id)
  if (before?.kind === 'check' && before.check === check && before.title === title) return before
  return { kind: 'check', id: check.id, title, check, isLeaving: false }
}

/**
 * Sorts units of which most stand in `earlier` already: those keep their order, only the new and changed ones are sorted
 * and put in between. The order is total (ids break ties), so the result is the one a full sort gives.
 */
function sortFrom<Unit extends BoardUnit>(units: readonly Unit[], view: BoardView, earlier: readonly Unit[]): Unit[] {
  const compare = compareBy(view.sortBy, view.isDescending)
  const compareUnits = (a: Unit, b: Unit): number => compare(toSortable(a), toSortable(b))
  if (earlier.length === 0) return units.toSorted(compareUnits)

  const untouched = new Set(units)
  const kept = earlier.filter((unit) => untouched.delete(unit))
  const moved = [...untouched].toSorted(compareUnits)
  const result: Unit[] = []
  let from = 0
  for (const unit of moved) {
    const to = insertionIndex(kept, unit, compareUnits, from)
    for (let index = from; index < to; index += 1) result.push(kept[index] as Unit)
    result.push(unit)
    from = to
  }
  for (let index = from; index < kept.length; index += 1) result.push(kept[index] as Unit)
  return result
}

/** First index at or after `from` whose unit belongs behind the given one. */
function insertionIndex<Unit>(
  sorted: readonly Unit[],
  unit: Unit,
  compare: (a: Unit, b: Unit) => number,
  from: number,
): number {
  let low = from
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (compare(sorted[middle] as Unit, unit) <= 0) low = middle + 1
    else high = middle
  }
  return low
}

function isSameList(a: readonly unknown[] | undefined, b: readonly unknown[]): boolean {
  return a !== undefined && a.length === b.length && a.every((item, index) => item === b[index])
}

function toUnit(
  group: CheckGroup,
  view: BoardView,
  checks: readonly CheckFacts[],
  before: Board | undefined,
): BoardUnit {
  const [only] = group.members
  if (group.members.length === 1 && only !== undefined) return toCheckUnit(only.check, only.title, before?.known)

  const id = toGroupId(group.key)
  const earlier = before?.known.get(id)
  if (earlier?.kind === 'group' && isSameList(before?.sources.get(id), checks)) return earlier

  const earlierMembers = earlier?.kind === 'group' ? earlier.members : []
  const earlierById = new Map(earlierMembers.map((member) => [member.id, member]))
  const members = group.members.map((member) => toCheckUnit(member.check, member.title, earlierById))
  const shown = view.hidePassing ? members.filter((member) => !isPassing(member)) : members
  const summary = summarizeGroup(checks)
  return {
    kind: 'group',
    id,
    title: group.title,
    summary,
    members: sortFrom(shown, view, earlierMembers),
    isLeaving: false,
    sortName: group.title.toLowerCase(),
    sortId: id,
    health: summary.health,
    passed: summary.passed,
    failed: summary.failed,
    latencyMs: summary.latencyMs,
    transitionAt: summary.transitionAt,
  }
}

/**
 * @param previous the board of the last rows; only one of the very same view is made use of
 */
export function arrangeBoard(checks: readonly CheckFacts[], view: BoardView, previous?: Board): Board {
  const before = previous?.view === view ? previous : undefined
  const matching = view.query === '' ? checks : checks.filter((check) => matchesQuery(check, view.query))

  const known = new Map<string, BoardUnit>()
  const sources = new Map<string, readonly CheckFacts[]>()
  const shown: BoardUnit[] = []
  const add = (unit: BoardUnit): void => {
    known.set(unit.id, unit)
    if (!view.hidePassing || !isPassing(unit)) shown.push(unit)
  }
  if (view.groupBy === 'no-group') {
    for (const check of matching) add(toCheckUnit(check, check.title, before?.known))
  } else {
    for (const group of groupChecks(matching, view.groupBy)) {
      const members = group.members.map((member) => member.check)
      const unit = toUnit(group, view, members, before)
      if (unit.kind === 'group') sources.set(unit.id, members)
      add(unit)
    }
  }
  return {
    view,
    units: sortFrom(shown, view, before?.units ?? []),
    known,
    sources,
    counts: countHealth(checks.map((check) => check.health)),
    matching: matching.length,
  }
}
