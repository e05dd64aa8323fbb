import { describe, expect, it } from 'vitest'

import { createRandom } from '#support/random.ts'

import { fitTiles, type Room, toGap, toUnit } from '../../../../../web/src/features/wallboard/board/fitTiles.ts'

const toRoom = (width: number, height: number, columns?: number): Room => ({
  width: width - 24,
  height: height - 80,
  unit: toUnit(width, height),
  columns,
})

const SCREENS = {
  phone: [390, 844],
  'phone on its side': [844, 390],
  tablet: [820, 1180],
  laptop: [1440, 900],
  desktop: [1920, 1080],
  portrait: [1080, 1920],
  ultrawide: [3440, 1440],
  '4K': [3840, 2160],
} as const

/** What is wrong with a grid: nothing, if everything is shown, evenly, and large enough to read. */
function findFaults(count: number, room: Room): string[] {
  const grid = fitTiles(count, room)
  const gap = toGap(room.unit)
  const width = (room.width - gap * (grid.columns - 1)) / grid.columns
  const height = (room.height - gap * (grid.rows - 1)) / grid.rows
  const faults = {
    'tiles are left out': grid.perPage * grid.pages < count,
    'a page is empty': grid.perPage * (grid.pages - 1) >= Math.max(1, count),
    'a page has more tiles than places': grid.columns * grid.rows < grid.perPage,
    'a row is empty': grid.columns * (grid.rows - 1) >= grid.perPage,
    'letters are too small': grid.letter < room.unit * 0.999,
    'a tile is too narrow': width < grid.letter * 13.49,
    'a tile is too flat': height < grid.letter * (grid.shape === 'full' ? 5.59 : 3.49),
  }
  return Object.entries(faults).flatMap(([fault, isSo]) =>
    isSo ? [`${fault}: ${JSON.stringify({ count, room, grid })}`] : [],
  )
}

describe('fitTiles', () => {
  it.each(Object.entries(SCREENS))(
    'shows any number of tiles on a %s, each large enough to read',
    (_, [width, height]) => {
      const counts = [...Array.from({ length: 300 }, (_, index) => (index < 40 ? index : index * 7)), 10_000]
      expect(counts.flatMap((count) => findFaults(count, toRoom(width, height)))).toEqual([])
    },
  )

  it('does so in rooms of any size and with any number of columns', () => {
    const random = createRandom(20_261_121)
    const faults = Array.from({ length: 3_000 }, () => {
      const width = 280 + Math.floor(random() * 4_000)
      const height = 200 + Math.floor(random() * 2_400)
      const columns = random() < 0.3 ? 1 + Math.floor(random() * 30) : undefined
      return findFaults(Math.floor(random() * 1_000), toRoom(width, height, columns))
    })
    expect(faults.flat()).toEqual([])
  })

  it('never makes letters smaller because there are fewer tiles', () => {
    for (const [width, height] of Object.values(SCREENS)) {
      const room = toRoom(width, height)
      const worths = Array.from({ length: 60 }, (_, index) => fitTiles(index + 1, room))
        .filter(({ pages }) => pages === 1)
        .map(({ letter, shape }) => letter * (shape === 'full' ? 1.25 : 1))
      expect(worths.toSorted((a, b) => b - a)).toEqual(worths)
    }
  })

  it('shows 60 tiles on a laptop and 300 on 4K without turning pages, and 300 on a laptop on few', () => {
    expect(fitTiles(60, toRoom(1440, 900)).pages).toBe(1)
    expect(fitTiles(300, toRoom(3840, 2160)).pages).toBe(1)
    expect(fitTiles(300, toRoom(1440, 900)).pages).toBeLessThanOrEqual(3)
  })

  it('keeps the columns that were asked for, as far as they fit', () => {
    expect(fitTiles(40, toRoom(1440, 900, 3)).columns).toBe(3)
    expect(fitTiles(40, toRoom(390, 844, 9)).columns).toBe(2)
    expect(fitTiles(2, toRoom(1440, 900, 4))).toMatchObject({ columns: 4, rows: 1 })
  })

  it('gives one tile to a room that has no size yet', () => {
    expect(fitTiles(5, { width: 0, height: 0, unit: 12.5 })).toMatchObject({
      columns: 1,
      rows: 1,
      perPage: 1,
      pages: 5,
    })
    expect(fitTiles(0, { width: 0, height: 0, unit: 12.5 })).toMatchObject({ columns: 1, rows: 1, pages: 1 })
  })
})
