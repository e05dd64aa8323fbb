/** Page sizes of every generic list (first specification, section 9). */
export const PAGE_SIZES = [5, 10, 25, 50, 100, 150, 200, 250, 300, 500, 1000] as const

/** Page sizes of the agent list and of the check history. */
export const SHORT_PAGE_SIZES = [50, 100, 200] as const

/** An empty list still has its one (empty) page. */
export function pageCount(total: number, pageSize: number): number {
  return Math.max(1, Math.ceil(total / pageSize))
}

/** A typed page number (counted from 1) brought between 1 and the last page; undefined when it is no number. */
export function clampPage(typed: string, pages: number): number | undefined {
  const page = Math.trunc(Number(typed))
  if (typed.trim() === '' || Number.isNaN(page)) return undefined
  return Math.min(Math.max(page, 1), pages)
}
