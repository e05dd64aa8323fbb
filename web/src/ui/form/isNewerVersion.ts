import { parseTimestamp } from '@watchroom/shared/time'

interface Versioned {
  readonly updated_at?: string | null | undefined
}

/** Whether a row was saved after another reading of it: what was read before a save may arrive after it. */
export function isNewerVersion(row: Versioned, than: Versioned): boolean {
  const [at, before] = [parseTimestamp(row.updated_at) ?? 0, parseTimestamp(than.updated_at) ?? 0]
  return at > before || (at === before && (row.updated_at ?? '') > (than.updated_at ?? ''))
}
