/** What a list could show now, and whether someone is busy in it. */
export interface HoldInput<Row> {
  /** Every row, whether or not it passes the filters: what is shown stays live. */
  readonly all: readonly Row[]
  /** Rows that pass the filters, in order. */
  readonly found: readonly Row[]
  readonly keyOf: (row: Row) => string
  /** Filters and order. Where they change, the user asked for something else: nothing is held back then. */
  readonly question: string
  /** False: the answer is under way, and these rows answer the question before. Default: true. */
  readonly isAnswer?: boolean
  readonly isHeld: boolean
}

export interface HeldRows<Row> extends HoldInput<Row> {
  readonly shown: readonly Row[]
  /** Found, but not shown before the list is let go. */
  readonly waiting: number
}

/**
 * The next state of a live list. While it is held its contents are live but no row moves or disappears, and none appears but
 * at the end: a click must not open another row than the one that was aimed at.
 */
export function holdRows<Row>(previous: HeldRows<Row> | undefined, input: HoldInput<Row>): HeldRows<Row> {
  const { all, found, keyOf, question, isHeld } = input
  const isHolding =
    isHeld &&
    previous !== undefined &&
    previous.question === question &&
    previous.isAnswer !== false &&
    previous.shown.length > 0
  if (!isHolding) return { ...input, shown: found, waiting: 0 }
  const current = new Map(all.map((row) => [keyOf(row), row]))
  const known = new Set(previous.shown.map(keyOf))
  const isNew = (row: Row): boolean => !known.has(keyOf(row))
  const last = found.findLastIndex((row) => !isNew(row))
  const behind = last < 0 ? [] : found.slice(last + 1)
  return {
    ...input,
    shown: [...previous.shown.map((row) => current.get(keyOf(row)) ?? row), ...behind],
    waiting: found.filter(isNew).length - behind.length,
  }
}
