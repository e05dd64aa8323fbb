import { isDeepStrictEqual } from 'node:util'

import { cutRows, type DrawnPage, type Estate, type ShownComponent } from '@watchroom/shared/topology'

import type { ChangeLog } from './createChangeLog.ts'

/** Those that were asked for last are kept. */
const MAX_PAGES = 100
/** Of rows that a page has no more. */
const MAX_REMOVED = 2_000

/** The rows of a page, or what became different of them. */
export interface PageRows {
  readonly rows: readonly ShownComponent[]
  readonly removed: readonly string[]
  /** Since the cursor that was asked with. */
  readonly isPartial: boolean
}

/** Pages as rows, so that whoever follows one is answered with what is different, and only that is drawn. */
export interface PageMemory {
  /** @param id of the component whose page it is; empty for those at the top */
  read(estate: Estate, id: string, since: string | undefined): PageRows
}

interface Page {
  drawn: DrawnPage
  /** Of the estate that it shows. */
  cursor: string
  /** Counts of changes: whoever knows less gets everything. */
  readonly knownFrom: number
  readonly changedAt: Map<string, number>
  readonly removedAt: Map<string, number>
}

export function createPageMemory(log: ChangeLog): PageMemory {
  /** The one that was asked for last comes last. */
  const pages = new Map<string, Page>()

  const update = (page: Page, estate: Estate, id: string, count: number): void => {
    const { drawn: before, changedAt, removedAt } = page
    const after = cutRows(estate, id, log.changedSince(page.cursor) === null ? null : before)
    for (const [key, row] of after.rows) {
      const known = before.rows.get(key)
      if (known === row || isDeepStrictEqual(known, row)) continue
      changedAt.set(key, count)
      removedAt.delete(key)
    }
    for (const key of before.rows.keys()) {
      if (after.rows.has(key)) continue
      removedAt.set(key, count)
      changedAt.delete(key)
    }
    page.drawn = after
    page.cursor = log.cursor()
  }

  const find = (estate: Estate, id: string, count: number): Page => {
    const known = pages.get(id)
    pages.delete(id)
    if (known !== undefined && known.removedAt.size <= MAX_REMOVED) {
      // What is written back meanwhile is no change of its own: it goes along with the next one.
      if (known.cursor !== log.cursor()) update(known, estate, id, count)
      pages.set(id, known)
      return known
    }
    const drawn = cutRows(estate, id, null)
    const page = { drawn, cursor: log.cursor(), knownFrom: count, changedAt: new Map(), removedAt: new Map() }
    pages.set(id, page)
    for (const oldest of pages.keys()) if (pages.size > MAX_PAGES) pages.delete(oldest)
    return page
  }

  return {
    read: (estate, id, since) => {
      const { drawn, knownFrom, changedAt, removedAt } = find(estate, id, log.countAt(log.cursor()) ?? 0)
      const from = since === undefined ? null : log.countAt(since)
      if (from === null || from < knownFrom) return { rows: [...drawn.rows.values()], removed: [], isPartial: false }
      const isNew = ([, count]: readonly [string, number]): boolean => count > from
      return {
        rows: [...changedAt].filter(isNew).flatMap(([key]) => drawn.rows.get(key) ?? []),
        removed: [...removedAt].filter(isNew).map(([key]) => key),
        isPartial: true,
      }
    },
  }
}
