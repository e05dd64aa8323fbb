import { type ReactElement, useMemo, useRef, useState } from 'react'

/** Several rows can be selected, and something done with all of them at once. */
export interface TableSelection<Row> {
  /** Rows that nothing can be done with have no box. The same function always: rows compare it. Default: every row. */
  readonly canSelect?: (row: Row) => boolean
  readonly actions: readonly SelectionAction<Row>[]
}

export interface SelectionAction<Row> {
  readonly text: string
  readonly icon?: ReactElement
  /** Takes something away. */
  readonly isDestructive?: boolean
  readonly isBusy?: boolean
  /** @param deselect for those that it was done with: where it fails, the others stay selected for another attempt */
  readonly onSelect: (rows: readonly Row[], deselect: (done: readonly Row[]) => void) => void
}

interface SelectedRowsInput<Row> {
  readonly selection: TableSelection<Row> | undefined
  /** Those that are shown: nothing is selected that cannot be seen by scrolling. */
  readonly rows: readonly Row[]
  readonly keyOf: (row: Row) => string
  /** Filters and page. Where they change, other rows are asked for: none of them is selected yet. */
  readonly question: string
}

export interface SelectedRows<Row> {
  readonly keys: ReadonlySet<string>
  /** As they are now, in the order in which they are shown. */
  readonly rows: readonly Row[]
  /** How many could be selected. */
  readonly selectable: number
  /** @param isRange with everything between it and the one before */
  readonly toggle: (key: string, isRange: boolean) => void
  readonly toggleAll: () => void
  readonly deselect: (done: readonly Row[]) => void
  readonly clear: () => void
}

const NONE: ReadonlySet<string> = new Set()
const every = (): boolean => true

/** What is selected is kept by key: live changes and another order do not change it, and a row that goes away leaves it. */
export function useSelectedRows<Row>({
  selection,
  rows,
  keyOf,
  question,
}: SelectedRowsInput<Row>): SelectedRows<Row> | null {
  const [state, setState] = useState({ question, keys: NONE })
  const last = useRef<string | null>(null)
  const isOn = selection !== undefined
  const canSelect = selection?.canSelect ?? every
  const selectable = useMemo(
    () => (isOn ? new Map(rows.filter(canSelect).map((row) => [keyOf(row), row])) : new Map<string, Row>()),
    [isOn, rows, keyOf, canSelect],
  )
  const kept = state.question === question ? [...state.keys].filter((key) => selectable.has(key)) : []
  const isSame = state.question === question && kept.length === state.keys.size
  const keys = isSame ? state.keys : kept.length === 0 ? NONE : new Set(kept)
  // Adjusted while rendering: a row that comes back later must not be selected by itself.
  if (!isSame) setState({ question, keys })
  if (!isOn) return null

  const select = (next: ReadonlySet<string>): void => setState({ question, keys: next })
  const all = [...selectable.keys()]
  return {
    keys,
    rows: [...selectable].filter(([key]) => keys.has(key)).map(([, row]) => row),
    selectable: all.length,
    toggle(key, isRange) {
      const from = isRange && last.current !== null ? all.indexOf(last.current) : -1
      const at = all.indexOf(key)
      last.current = key
      const touched = from < 0 ? [key] : all.slice(Math.min(from, at), Math.max(from, at) + 1)
      const others = [...keys].filter((one) => !touched.includes(one))
      select(new Set(keys.has(key) ? others : [...others, ...touched]))
    },
    toggleAll: () => select(keys.size === all.length ? NONE : new Set(all)),
    deselect(done) {
      const gone = new Set(done.map(keyOf))
      // Others may have been selected since it began.
      setState((current) => ({ ...current, keys: new Set([...current.keys].filter((key) => !gone.has(key))) }))
    },
    clear: () => select(NONE),
  }
}
