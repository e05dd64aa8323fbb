import {
  type CheckFacts,
  type CheckGroup,
  type CheckNode,
  compareBy,
  countHealth,
  type GroupBy,
  groupChecks,
  type GroupSummary,
  type HealthCounts,
  type LabelFilter,
  matchesLabels,
  matchesQuery,
  type Sortable,
  type SortColumn,
  summarizeGroup,
  type TabBy,
  toKnownFilter,
  toTabValue,
} from '@watchroom/shared/health'

// Turns the rows of the board into the lines of the screen. Pure: knows nothing of the pointer (`holdBoard`) or of React.
// Runs up to ten times a second over 10,000 checks, so whatever did not change is taken over from the board before: the
// identity of an untouched unit is kept, and sorting starts from the order of last time, which is nearly right.

/** How the person wants to see the checks. A new object means a new choice. */
export interface BoardView {
  readonly query: string
  readonly labels: LabelFilter
  readonly tabBy: TabBy
  /** Value of the chosen tab; empty for all of them, and so is one that no check has. */
  readonly tab: string
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
  /** Still shown because the order is held, although it is no longer in the view. */
  readonly isLeaving: boolean
}

export interface GroupUnit extends Sortable {
  readonly kind: 'group'
  readonly id: string
  readonly title: string
  /** Over all checks below that match the filters, including hidden passing ones. */
  readonly summary: GroupSummary
  readonly checks: readonly CheckFacts[]
  /** The members to show, in order. */
  readonly members: readonly BoardUnit[]
  readonly isLeaving: boolean
}

export type BoardUnit = CheckUnit | GroupUnit

export interface BoardTab {
  readonly value: string
  /** Checks that the tab would show: those that match the other filters. */
  readonly shown: number
}

export interface Board {
  readonly view: BoardView
  readonly units: readonly BoardUnit[]
  /** Everything that matches the filters, including hidden units, by unit id. Held lines are refreshed from it. */
  readonly known: ReadonlyMap<string, BoardUnit>
  /** Over all checks, whatever the view. */
  readonly counts: HealthCounts
  /** Checks that match search, labels and tab. */
  readonly matching: readonly CheckFacts[]
  /** One per value, in order of first appearance; empty tabs stay. */
  readonly tabs: readonly BoardTab[]
  /** The tab in force: empty for all. */
  readonly tab: string
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

/** First index at or after `from` whose unit sorts after the given one. */
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

/** Creates units and remembers them; reuses what has not changed. */
function createUnits(view: BoardView, before: Board | undefined) {
  const known = new Map<string, BoardUnit>()

  const toUnit = (node: CheckNode): BoardUnit => {
    if (node.kind === 'group') return toGroupUnit(node)
    const unit = toCheckUnit(node.check, node.title, before?.known)
    known.set(unit.id, unit)
    return unit
  }
  const toGroupUnit = (group: CheckGroup): GroupUnit => {
    const id = toGroupId(group.key)
    const earlier = before?.known.get(id)
    const isUnchanged =
      earlier?.kind === 'group' && earlier.title === group.title && isSameList(earlier.checks, group.checks)
    // Groups inside an unchanged group have to be known all the same.
    const hasInner = group.children.some(({ kind }) => kind === 'group')
    if (isUnchanged && !hasInner) {
      known.set(id, earlier)
      return earlier
    }
    const earlierMembers = earlier?.kind === 'group' ? earlier.members : []
    const earlierById = new Map(earlierMembers.map((member) => [member.id, member]))
    const members = group.children.map((child) =>
      child.kind === 'group' ? toGroupUnit(child) : toCheckUnit(child.check, child.title, earlierById),
    )
    if (isUnchanged) {
      known.set(id, earlier)
      return earlier
    }
    const shown = view.hidePassing ? members.filter((member) => !isPassing(member)) : members
    const summary = summarizeGroup(group.checks)
    const unit: GroupUnit = {
      kind: 'group',
      id,
      title: group.title,
      summary,
      checks: group.checks,
      members: sortFrom(shown, view, earlierMembers),
      isLeaving: false,
      // The key of a group inside groups is its whole path, as the names of the checks beside it are.
      sortName: group.key.toLowerCase(),
      sortId: id,
      health: summary.health,
      passed: summary.passed,
      failed: summary.failed,
      latencyMs: summary.latencyMs,
      transitionAt: summary.transitionAt,
    }
    known.set(id, unit)
    return unit
  }
  return { known, toUnit }
}

/** Tabs cover all checks, so that none comes and goes with a filter; their counts cover what matches the filters. */
function toTabs(checks: readonly CheckFacts[], filtered: readonly CheckFacts[], view: BoardView): BoardTab[] {
  const shown = new Map<string, number>()
  for (const { row } of checks) shown.set(toTabValue(row, view.tabBy), 0)
  for (const { row, health } of filtered) {
    if (view.hidePassing && health === 'healthy') continue
    const value = toTabValue(row, view.tabBy)
    shown.set(value, (shown.get(value) ?? 0) + 1)
  }
  return Array.from(shown, ([value, count]) => ({ value, shown: count }))
}

const areSameTabs = (a: readonly BoardTab[], b: readonly BoardTab[]): boolean =>
  a.length === b.length && a.every(({ value, shown }, at) => value === b[at]?.value && shown === b[at].shown)

/** What search and labels leave. */
function filterChecks(checks: readonly CheckFacts[], { query, labels }: BoardView): readonly CheckFacts[] {
  const searched = query === '' ? checks : checks.filter((check) => matchesQuery(check, query))
  if (labels.size === 0) return searched
  const known = toKnownFilter(
    checks.map(({ row }) => row),
    labels,
  )
  return known.size === 0 ? searched : searched.filter(({ row }) => matchesLabels(row.labels, known))
}

/**
 * @param previous the board of the last rows; only one of the very same view is made use of
 */
export function arrangeBoard(checks: readonly CheckFacts[], view: BoardView, previous?: Board): Board {
  const before = previous?.view === view ? previous : undefined
  const filtered = filterChecks(checks, view)
  const found = toTabs(checks, filtered, view)
  const tabs = before !== undefined && areSameTabs(before.tabs, found) ? before.tabs : found
  const tab = tabs.some(({ value }) => value === view.tab) ? view.tab : ''
  const matching = tab === '' ? filtered : filtered.filter(({ row }) => toTabValue(row, view.tabBy) === tab)

  const { known, toUnit } = createUnits(view, before)
  const units = groupChecks(matching, view.groupBy).map(toUnit)
  const shown = view.hidePassing ? units.filter((unit) => !isPassing(unit)) : units
  return {
    view,
    units: sortFrom(shown, view, before?.units ?? []),
    known,
    counts: countHealth(checks.map((check) => check.health)),
    matching,
    tabs,
    tab,
  }
}
