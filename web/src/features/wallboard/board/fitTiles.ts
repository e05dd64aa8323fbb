// How many tiles of which size fill a screen. Pure; lengths in CSS pixels.

/** Smallest tile, in letter heights: `full` has three lines of text, `compact` two. */
const SHAPES = {
  full: { width: 13.5, height: 5.6 },
  compact: { width: 13.5, height: 3.5 },
} as const

/** Large letters are for the distance, not for filling a hall with five words. */
const MAX_LETTER = 4.2
/** Three lines say more than larger letters do, up to this factor. */
const FULL_IS_WORTH = 1.25

export interface TileGrid {
  readonly columns: number
  readonly rows: number
  /** Tiles on one page; the last may have fewer. */
  readonly perPage: number
  readonly pages: number
  /** Height of the letters of a tile. */
  readonly letter: number
  readonly shape: keyof typeof SHAPES
}

export interface Room {
  readonly width: number
  readonly height: number
  /** Smallest letter that can be read on this screen (`toUnit`). */
  readonly unit: number
  /** Asked for by the person; as many as fit when it is more. */
  readonly columns?: number | undefined
}

/** Smallest letter readable from where people stand: they stand farther from larger screens. */
export function toUnit(width: number, height: number): number {
  const reach = Math.min(width, height * 1.6)
  return Math.min(24, Math.max(12.5, reach / 165))
}

export const toGap = (unit: number): number => Math.round(unit * 0.45)

/**
 * The largest tiles that show everything on one page, or, where letters would become too small, pages of equal length.
 * A room smaller than one tile gets that one tile all the same.
 */
export function fitTiles(count: number, room: Room): TileGrid {
  const gap = toGap(room.unit)
  const least = { width: SHAPES.compact.width * room.unit, height: SHAPES.compact.height * room.unit }
  const fitting = (length: number, size: number): number => Math.max(1, Math.floor((length + gap) / (size + gap)))
  const mostColumns = fitting(room.width, least.width)
  const mostRows = fitting(room.height, least.height)
  const wanted = room.columns === undefined ? null : Math.min(Math.max(1, Math.round(room.columns)), mostColumns)

  const capacity = (wanted ?? mostColumns) * mostRows
  const pages = Math.max(1, Math.ceil(count / capacity))
  const perPage = Math.max(1, Math.ceil(count / pages))

  let best: (TileGrid & { worth: number; empty: number }) | null = null
  for (let columns = wanted ?? 1; columns <= (wanted ?? Math.min(mostColumns, perPage)); columns += 1) {
    const rows = Math.ceil(perPage / columns)
    if (rows > mostRows) continue
    const width = (room.width - gap * (columns - 1)) / columns
    const height = (room.height - gap * (rows - 1)) / rows
    for (const shape of ['full', 'compact'] as const) {
      const fit = Math.min(width / SHAPES[shape].width, height / SHAPES[shape].height, room.unit * MAX_LETTER)
      if (shape === 'full' && fit < room.unit) continue
      const worth = fit * (shape === 'full' ? FULL_IS_WORTH : 1)
      const empty = columns * rows - perPage
      const isBetter = best === null || worth > best.worth || (worth === best.worth && empty < best.empty)
      if (isBetter)
        best = { columns, rows, perPage, pages, letter: Math.max(room.unit * 0.8, fit), shape, worth, empty }
    }
  }
  const { columns, rows, letter, shape } = best ?? { columns: 1, rows: perPage, letter: room.unit, shape: 'compact' }
  return { columns, rows, perPage, pages, letter, shape }
}
