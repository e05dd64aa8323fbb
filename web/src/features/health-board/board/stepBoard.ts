import { type CheckFacts, type CheckSummary, toCheckFacts } from '@watchroom/shared/health'

import { arrangeBoard, type Board, type BoardView } from './arrangeBoard.ts'
import { type HeldBoard, holdBoard } from './holdBoard.ts'

export interface BoardInput {
  readonly rows: readonly CheckSummary[]
  readonly view: BoardView
  /** True while someone points at the list or moves in it by keyboard. */
  readonly isHeld: boolean
}

export interface BoardState extends BoardInput {
  readonly board: Board
  readonly shown: HeldBoard
}

// Rows keep their identity until they change, so the facts of a row are worked out once in its life.
const factsByRow = new WeakMap<CheckSummary, CheckFacts>()

function readFacts(row: CheckSummary): CheckFacts {
  const known = factsByRow.get(row)
  if (known !== undefined) return known
  const facts = toCheckFacts(row)
  factsByRow.set(row, facts)
  return facts
}

/** The next state of the board. A new view is what the user asked for and is never held back. */
export function stepBoard(previous: BoardState | undefined, input: BoardInput): BoardState {
  const { rows, view, isHeld } = input
  const same = previous?.rows === rows && previous.view === view ? previous : undefined
  const checks = same ? [] : rows.map(readFacts)
  const board = same?.board ?? arrangeBoard(checks, view, previous?.board)

  // An empty list has nothing that could jump away from under the pointer.
  const isHolding = isHeld && previous?.view === view && previous.shown.units.length > 0
  if (!isHolding) return { ...input, board, shown: { units: board.units, waiting: 0 } }
  if (same) return { ...input, board, shown: same.shown }
  const current = new Map(checks.map((check) => [check.id, check]))
  return { ...input, board, shown: holdBoard(previous.shown, board, current) }
}
