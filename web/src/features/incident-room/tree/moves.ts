import type { HypothesisView, IncidentView, Position } from '@watchroom/shared/collab'
import { childType, NOT_BELOW_ITSELF, SOLUTION_HAS_NO_CHILDREN } from '@watchroom/shared/incidents'

type Tree = Pick<IncidentView, 'hypotheses' | 'childrenOf'>

export type MoveDirection = 'up' | 'down' | 'in' | 'out'
/** Where on a row something was dropped: before it, below it as its child, behind it. */
export type DropZone = 'before' | 'into' | 'after'

export type Move = { kind: 'move'; position: Position } | { kind: 'refused'; reason: string }

const refused = (reason: string): Move => ({ kind: 'refused', reason })
const to = (parentId: string | null, afterId: string | null): Move => ({
  kind: 'move',
  position: { parentId, afterId },
})

function siblingsOf({ childrenOf }: Tree, { parentId }: HypothesisView): readonly HypothesisView[] {
  return childrenOf.get(parentId ?? '') ?? []
}

/** Where a hypothesis moves with one step of keyboard or menu, or why it cannot. */
export function stepMove(tree: Tree, id: string, direction: MoveDirection): Move {
  const moved = tree.hypotheses.get(id)
  if (!moved) return refused('This hypothesis no longer exists')
  const siblings = siblingsOf(tree, moved)
  const index = siblings.findIndex((sibling) => sibling.id === id)
  const before = siblings[index - 1]
  switch (direction) {
    case 'up':
      return before ? to(moved.parentId, siblings[index - 2]?.id ?? null) : refused('Already first here')
    case 'down': {
      const after = siblings[index + 1]
      return after ? to(moved.parentId, after.id) : refused('Already last here')
    }
    case 'in':
      if (!before) return refused('There’s nothing above it here')
      if (childType(before.type) === null) return refused(SOLUTION_HAS_NO_CHILDREN)
      return to(before.id, tree.childrenOf.get(before.id)?.at(-1)?.id ?? null)
    case 'out': {
      const parent = moved.parentId === null ? undefined : tree.hypotheses.get(moved.parentId)
      return parent ? to(parent.parentId, parent.id) : refused('Already at the top level')
    }
  }
}

/** Where a hypothesis moves when dropped on a row, or why it cannot. */
export function dropMove(tree: Tree, id: string, targetId: string, zone: DropZone): Move {
  const target = tree.hypotheses.get(targetId)
  if (!target || target.removed || !tree.hypotheses.has(id)) return refused('This hypothesis no longer exists')
  for (let above: string | null = targetId; above !== null; above = tree.hypotheses.get(above)?.parentId ?? null)
    if (above === id) return refused(NOT_BELOW_ITSELF)
  if (zone === 'into') {
    if (childType(target.type) === null) return refused(SOLUTION_HAS_NO_CHILDREN)
    return to(targetId, tree.childrenOf.get(targetId)?.findLast((child) => child.id !== id)?.id ?? null)
  }
  if (zone === 'after') return to(target.parentId, targetId)
  const siblings = siblingsOf(tree, target).filter((sibling) => sibling.id !== id)
  const index = siblings.findIndex((sibling) => sibling.id === targetId)
  return to(target.parentId, siblings[index - 1]?.id ?? null)
}

export interface TreeLine {
  readonly hypothesis: HypothesisView
  /** 1 for the top. */
  readonly level: number
  readonly position: number
  readonly siblingCount: number
  readonly childCount: number
}

/** Rows of the tree from top to bottom, without what is below collapsed ones. */
export function toTreeLines({ childrenOf }: Tree, collapsed: ReadonlySet<string>): TreeLine[] {
  const lines: TreeLine[] = []
  const add = (parentId: string, level: number): void => {
    const siblings = childrenOf.get(parentId) ?? []
    for (const [index, hypothesis] of siblings.entries()) {
      const childCount = childrenOf.get(hypothesis.id)?.length ?? 0
      lines.push({ hypothesis, level, position: index + 1, siblingCount: siblings.length, childCount })
      if (!collapsed.has(hypothesis.id)) add(hypothesis.id, level + 1)
    }
  }
  add('', 1)
  return lines
}

/** The rows of `toTreeLines`; unchanged rows keep their identity. */
export function createTreeLines(): (tree: Tree, collapsed: ReadonlySet<string>) => readonly TreeLine[] {
  let known = new Map<string, TreeLine>()
  return (tree, collapsed) => {
    const lines = toTreeLines(tree, collapsed).map((line) => {
      const before = known.get(line.hypothesis.id)
      return before && isSameLine(before, line) ? before : line
    })
    known = new Map(lines.map((line) => [line.hypothesis.id, line]))
    return lines
  }
}

const isSameLine = (a: TreeLine, b: TreeLine): boolean =>
  a.hypothesis === b.hypothesis &&
  a.level === b.level &&
  a.position === b.position &&
  a.siblingCount === b.siblingCount &&
  a.childCount === b.childCount

/** A hypothesis and everything alive below it. */
export function withDescendants(tree: Tree, hypothesis: HypothesisView): HypothesisView[] {
  return [hypothesis, ...(tree.childrenOf.get(hypothesis.id) ?? []).flatMap((child) => withDescendants(tree, child))]
}
