import type { CheckSummary } from '@watchroom/shared/health'
import { useState } from 'react'

import { type TileBoard, toTiles, type TileView } from '../board/toTiles.ts'

interface State {
  readonly rows: readonly CheckSummary[]
  readonly view: TileView
  readonly board: TileBoard
}

/** The tiles for these rows and this view. Adjusted while rendering, so that no frame shows rows and order of two moments. */
export function useTileBoard(rows: readonly CheckSummary[], view: TileView): TileBoard {
  const [state, setState] = useState<State>(() => ({ rows, view, board: toTiles(rows, view) }))
  if (state.rows === rows && state.view === view) return state.board
  const board = toTiles(rows, view, state.view === view ? state.board : undefined)
  setState({ rows, view, board })
  return board
}
