import type { TopologyEdges } from '@watchroom/shared/topology'

import type { Difference } from './createEstateMemory.ts'

/** A reader that missed more is told everything. */
const MAX_CHANGES = 1_000

export interface Page {
  /** The component at its top; without one those that stand for themselves. */
  readonly id?: string
  readonly levels: number
  /** It shows all levels. */
  readonly isList?: boolean
  /** It shows what fits, which any component may begin or cease to do. */
  readonly isFiltered: boolean
}

/** Which components became different when, for cursors of ADR 1. */
export interface ChangeLog {
  note(change: Difference): void
  cursor(): string
  /** How many changes there were at a cursor; null for one that is not ours. */
  countAt(cursor: string): number | null
  /** Components that are different since a cursor; null where others may be, or may be gone. One that is not ours has no answer. */
  changedSince(cursor: string): ReadonlySet<string> | null
  /** Whether a page shows something else than it did at a cursor. One that is not ours is answered with yes. */
  isDifferent(cursor: string, page: Page, edges: TopologyEdges): boolean
}

/** @param epoch names this process: another one's cursors are unknown */
export function createChangeLog(epoch: string): ChangeLog {
  /** The newest last; its number is `sequence`. */
  let changes: Difference[] = []
  let sequence = 0

  const countAt = (cursor: string): number | null => {
    const [name, number] = cursor.split('.', 2)
    const isOurs = name === epoch && /^\d{1,15}$/.test(number ?? '') && Number(number) <= sequence
    return isOurs ? Number(number) : null
  }

  const since = (cursor: string): readonly Difference[] | null => {
    const missed = sequence - (countAt(cursor) ?? Number.NaN)
    return missed <= changes.length ? changes.slice(changes.length - missed) : null
  }

  return {
    note: (change) => {
      if (change.ids.size === 0 && !change.isStructural) return
      sequence += 1
      changes.push(change)
      if (changes.length > 2 * MAX_CHANGES) changes = changes.slice(-MAX_CHANGES)
    },
    cursor: () => `${epoch}.${sequence}`,
    countAt,
    changedSince: (cursor) => {
      const missed = since(cursor)
      return missed === null || missed.some(({ isStructural }) => isStructural) ? null : toIds(missed)
    },
    isDifferent: (cursor, page, edges) => {
      const missed = since(cursor)
      if (missed === null) return true
      if (page.isFiltered || page.isList === true) return missed.length > 0
      if (missed.some(({ isStructural }) => isStructural)) return true
      return [...toIds(missed)].some((id) => isOnPage(id, page, edges))
    },
  }
}

const toIds = (changes: readonly Difference[]): ReadonlySet<string> =>
  new Set(changes.flatMap((change) => [...change.ids]))

function isOnPage(id: string, { id: top, levels }: Page, { parentsOf }: TopologyEdges): boolean {
  let above: ReadonlySet<string> = new Set([id])
  for (let level = 0; level < levels && above.size > 0; level += 1) {
    const parents = new Set<string>()
    for (const each of above) {
      const found = parentsOf.get(each) ?? []
      if (top === undefined ? found.length === 0 : each === top) return true
      for (const parent of found) parents.add(parent)
    }
    above = parents
  }
  return false
}
