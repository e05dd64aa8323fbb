import type { BoardUnit, CheckUnit, GroupUnit } from './arrangeBoard.ts'

/** One row of the grid. */
export type BoardLine =
  | { readonly kind: 'group'; readonly id: string; readonly unit: GroupUnit; readonly isExpanded: boolean }
  | { readonly kind: 'check'; readonly id: string; readonly unit: CheckUnit; readonly groupId: string | null }

/** Groups that the person opened or closed by hand; the others follow the default. */
export type ExpandedGroups = ReadonlyMap<string, boolean>

/**
 * Units as rows, the members of expanded groups below their group.
 *
 * @param isExpandedByDefault true while a search is on: what was found must be seen
 */
export function toBoardLines(
  units: readonly BoardUnit[],
  expanded: ExpandedGroups,
  isExpandedByDefault: boolean,
): BoardLine[] {
  const lines: BoardLine[] = []
  for (const unit of units) {
    if (unit.kind === 'check') {
      lines.push({ kind: 'check', id: unit.id, unit, groupId: null })
      continue
    }
    const isExpanded = expanded.get(unit.id) ?? isExpandedByDefault
    lines.push({ kind: 'group', id: unit.id, unit, isExpanded })
    if (!isExpanded) continue
    for (const member of unit.members) lines.push({ kind: 'check', id: member.id, unit: member, groupId: unit.id })
  }
  return lines
}
