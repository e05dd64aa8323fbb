import { z } from 'zod'

// Where a person was in a long table, kept for this tab, so that Back from a row leads to the same place.

const PREFIX = 'table:'

const TableSessionSchema = z.object({
  scrollTop: z.number().min(0).catch(0),
  expanded: z.array(z.string()).catch([]),
  /** Rows that were loaded, for tables that load more at their end. */
  loaded: z.number().int().positive().optional().catch(undefined),
})
export type TableSession = z.infer<typeof TableSessionSchema>

const NOTHING: TableSession = { scrollTop: 0, expanded: [] }

/** @param href of the page, with its filters and order */
export const toTableKey = (name: string, href: string): string => `${name} ${href}`

/** @param key of `toTableKey` */
export function readTableSession(key: string): TableSession {
  try {
    return TableSessionSchema.parse(JSON.parse(sessionStorage.getItem(PREFIX + key) ?? '{}'))
  } catch {
    // Blocked by the browser's settings, or not ours.
    return NOTHING
  }
}

export function writeTableSession(key: string, patch: Partial<TableSession>): void {
  try {
    sessionStorage.setItem(PREFIX + key, JSON.stringify({ ...readTableSession(key), ...patch }))
  } catch {
    // Blocked or full: the table starts at its top.
  }
}
