import type { BoardUnit, CheckUnit, GroupUnit } from './arrangeBoard.ts'

/** One row of the grid. */
export type BoardLine = {
  readonly id: string
  /** Depth in the tree, from 1. */
  readonly level: number
  /** The group whose line stands above, null at the top. */
  readonly groupId: string | null
} & (
  | { readonly kind: 'group'; readonly unit: GroupUnit; readonly isExpanded: boolean }
  | { readonly kind: 'check'; readonly unit: CheckUnit }
)

/** Groups that the person opened or closed by hand; the others follow the default. */
export type ExpandedGroups = ReadonlyMap<string, boolean>

/** Groups that are open by default. */
export type OpenedGroups = 'all' | ReadonlySet<string>

export const isOpened = (opened: OpenedGroups, groupId: string): boolean => opened === 'all' || opened.has(groupId)

/**
 * Units as rows, the members of expanded groups below their group.
 *
 * @param opened groups that stand open unless the person closed them; `all` while a search is on: what was found must be seen
 */
export function toBoardLines(units: readonly BoardUnit[], expanded: ExpandedGroups, opened: OpenedGroups): BoardLine[] {
  const lines: BoardLine[] = []
  const add = (unit: BoardUnit, level: number, groupId: string | null): void => {
    if (unit.kind === 'check') {
      lines.push({ kind: 'check', id: unit.id, unit, level, groupId })
      return
    }
    const isExpanded = expanded.get(unit.id) ?? isOpened(opened, unit.id)
    lines.push({ kind: 'group', id: unit.id, unit, level, groupId, isExpanded })
    if (isExpanded) for (const member of unit.members) add(member, level + 1, unit.id)
  }
  for (const unit of units) add(unit, 1, null)
  return lines
}

/** Ids of every group, those inside groups too. */
export function toGroupIds(units: readonly BoardUnit[]): string[] {
  return units.flatMap((unit) => (unit.kind === 'group' ? [unit.id, ...toGroupIds(unit.members)] : []))
}

/** The check's own line, or that of the innermost closed group it stands in; null when neither is there. */
export function toVisibleLine(lines: readonly BoardLine[], checkId: string): string | null {
  if (lines.some(({ id }) => id === checkId)) return checkId
  const holders = lines.filter(
    (line) => line.kind === 'group' && !line.isExpanded && line.unit.checks.some(({ id }) => id === checkId),
  )
  return holders.at(-1)?.id ?? null
}
