import { useState } from 'react'

import { useHotkey } from '../../ui/hotkeys.ts'

interface Pause<Row> {
  readonly rows: readonly Row[]
  readonly isPaused: boolean
  /** Rows that are not as they are shown, those that came and went included. */
  readonly waiting: number
  readonly onToggle: () => void
}

/** Rows as they are, or as they were when someone pressed `.`. @param question another value is another page, which is not paused */
export function usePause<Row extends { readonly id: string }>(rows: readonly Row[], question: string): Pause<Row> {
  const [paused, setPaused] = useState<{ readonly rows: readonly Row[]; readonly question: string } | null>(null)
  const kept = paused?.question === question ? paused.rows : null
  const onToggle = (): void => setPaused(kept === null ? { rows, question } : null)
  useHotkey('.', onToggle)
  return {
    rows: kept ?? rows,
    isPaused: kept !== null,
    waiting: kept === null ? 0 : countChanged(kept, rows),
    onToggle,
  }
}

/** Untouched rows keep their identity. */
function countChanged<Row extends { readonly id: string }>(before: readonly Row[], now: readonly Row[]): number {
  if (before === now) return 0
  const known = new Map(before.map((row) => [row.id, row]))
  let changed = 0
  for (const row of now) {
    if (known.get(row.id) !== row) changed += 1
    known.delete(row.id)
  }
  return changed + known.size
}
