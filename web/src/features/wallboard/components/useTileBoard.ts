import type { CheckSummary } from '@watchroom/shared/health'
import { useState } from 'react'

import { type TileBoard, toTiles, type TileView } from '../board/toTiles.ts'

interface State {
  readonly rows: readonly CheckSummary[]
  readonly view: TileView
  readonly beat: number
  readonly board: TileBoard
}

/**
 * The tiles for these rows and this view. Adjusted while rendering, so that no frame shows rows and order of two moments.
 *
 * @param beat tiles change places only with another beat: a change is seen where the tile was, and a storm moves the wall
 * once and not ten times a second
 */
export function useTileBoard(rows: readonly CheckSummary[], view: TileView, beat: number): TileBoard {
  const [state, setState] = useState<State>(() => ({ rows, view, beat, board: toTiles(rows, view) }))
  if (state.rows === rows && state.view === view && state.beat === beat) return state.board
  const before = state.view === view ? state.board : undefined
  const board = toTiles(rows, view, before, state.beat === beat)
  setState({ rows, view, beat, board })
  return board
}
