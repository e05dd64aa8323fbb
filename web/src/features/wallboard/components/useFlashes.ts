import { useState } from 'react'

import type { Tile, TileHealth } from '../board/toTiles.ts'

interface Seen {
  readonly health: TileHealth
  readonly flash: number
}

interface State {
  readonly tiles: readonly Tile[]
  readonly seen: ReadonlyMap<string, Seen>
}

const NOTHING: State = { tiles: [], seen: new Map() }

/** How often each tile changed its health before the eyes of this page. A tile that appears does not flash. */
export function useFlashes(tiles: readonly Tile[]): ReadonlyMap<string, Seen> {
  const [state, setState] = useState(NOTHING)
  if (state.tiles === tiles) return state.seen
  const seen = new Map(
    tiles.map(({ id, health }): [string, Seen] => {
      const before = state.seen.get(id)
      if (before?.health === health) return [id, before]
      return [id, { health, flash: before === undefined ? 0 : before.flash + 1 }]
    }),
  )
  // Adjusted while rendering: a tile must not show its new color before its flash.
  setState({ tiles, seen })
  return seen
}
