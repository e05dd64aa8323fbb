import { toEdges } from '../edges.ts'
import { type Burst, type BurstRow, type HealthTransition, toBursts } from '../transitions.ts'
import type { PastTransition } from './answers.ts'
import type { RecordedStructure } from './recorded.ts'

/** What became better or worse; what comes or goes was nothing else before. */
function toHealthTransitions(transitions: readonly PastTransition[]): HealthTransition[] {
  return transitions.flatMap(({ id, name, at, from, to }) =>
    from === null || to === null || from.health === to.health
      ? []
      : [{ id, name, at, from: from.health, to: to.health }],
  )
}

/** A page: of which component, and whether it shows what is hidden. */
interface BurstPage {
  readonly id: string
  readonly isHiddenShown: boolean
}

/**
 * What came together below the cards of a page, on all levels. Nobody is told of what is hidden from them.
 *
 * @param transitions in the order in which they came
 * @returns a function of the page: what it needs of the estate is worked out once for all of them
 */
export function toRecordedBursts(
  structures: ReadonlyMap<string, RecordedStructure>,
  transitions: readonly PastTransition[],
): (page: BurstPage) => Burst[] {
  const changes = toHealthTransitions(transitions)
  if (changes.length === 0) return () => []
  const { childrenOf, parentsOf } = toEdges(
    new Map(
      Array.from(structures, ([id, { parent_id: parentId, linked_to: linkedTo }]) => [id, { parentId, linkedTo }]),
    ),
  )
  return ({ id: pageId, isHiddenShown }) => {
    const isShown = (id: string): boolean => isHiddenShown || structures.get(id)?.hidden !== true
    const isTop = (id: string): boolean =>
      pageId === '' ? parentsOf.get(id)?.length === 0 : parentsOf.get(id)?.includes(pageId) === true
    const rows = Array.from(structures, ([id, { name, text }]): BurstRow => ({
      id,
      name,
      text,
      is_top: isTop(id) && isShown(id),
      shown: (childrenOf.get(id) ?? []).filter(isShown),
    }))
    return toBursts(rows, changes)
  }
}
