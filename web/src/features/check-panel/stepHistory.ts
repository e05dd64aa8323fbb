import type { CheckStatus } from '@watchroom/shared/health'

export interface HistoryPage {
  /** Newest first. */
  readonly rows: readonly CheckStatus[]
  /** Results that match, over all pages. */
  readonly total: number
}

/** What the reader sees, and what waits while they read. */
export interface ShownHistory {
  /** What was asked for: range, filters, page. */
  readonly ask: string
  readonly page: HistoryPage
  /** New results that are not shown yet. */
  readonly waiting: number
}

interface HistoryInput {
  ask: string
  /** The latest answer to `ask`; undefined while there is none. */
  page: HistoryPage | undefined
  /** Someone is reading: nothing may move. */
  isHeld: boolean
}

/**
 * The page to show. New results wait while someone reads; another range, filter or page is shown at once, and until its
 * answer is there what was shown before stays.
 */
export function stepHistory(before: ShownHistory | undefined, input: HistoryInput): ShownHistory | undefined {
  const { ask, page, isHeld } = input
  if (page === undefined) return before
  if (before === undefined || before.ask !== ask || !isHeld) return { ask, page, waiting: 0 }
  const newest = before.page.rows[0]?.time
  const waiting = page.rows.findIndex(({ time }) => time === newest)
  // All of a page may be new.
  return { ...before, waiting: waiting === -1 ? page.rows.length : waiting }
}
