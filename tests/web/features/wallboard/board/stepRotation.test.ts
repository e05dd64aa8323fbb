import { describe, expect, it } from 'vitest'

import {
  type Place,
  type Rotation,
  START,
  stepRotation,
} from '../../../../../web/src/features/wallboard/board/stepRotation.ts'

const STAY_MS = 20_000

/** A wall whose boards have so many pages, driven second by second. */
function createWall(pagesOf: number[]) {
  let rotation: Rotation = START
  let now = 0
  const pages = (): number => pagesOf[rotation.place.board] ?? 1
  const step = (event: Parameters<typeof stepRotation>[1]): void => {
    rotation = stepRotation(rotation, event)
  }
  return {
    rotation: () => rotation,
    place: () => [rotation.place.board, rotation.place.page],
    wait: (seconds: number, stayMs = STAY_MS) => {
      for (let second = 0; second < seconds; second += 1) {
        now += 1_000
        step({ kind: 'tick', now, boards: pagesOf.length, pages: pages(), stayMs })
      }
    },
    turn: (by: 1 | -1) => step({ kind: 'turn', now, boards: pagesOf.length, pages: pages(), by }),
    jump: (place: Place) => step({ kind: 'jump', now, place, tileId: 'failed', stayMs: 30_000 }),
    back: () => step({ kind: 'return', now }),
    pause: (isPaused: boolean) => step({ kind: 'pause', now, isPaused }),
    setPages: (next: number[]) => {
      pagesOf = next
    },
  }
}

describe('rotation', () => {
  it('shows each page of each board for its time, and then begins anew', () => {
    const wall = createWall([2, 1, 3])
    const seen = [wall.place()]
    for (let turn = 0; turn < 6; turn += 1) {
      wall.wait(19)
      expect(wall.place()).toEqual(seen.at(-1))
      wall.wait(1)
      seen.push(wall.place())
    }
    expect(seen).toEqual([
      [0, 0],
      [0, 1],
      [1, 0],
      [2, 0],
      [2, 1],
      [2, 2],
      [0, 0],
    ])
  })

  it('stays where it is with one page, and with no time to turn', () => {
    const single = createWall([1])
    single.wait(600)
    expect(single.rotation()).toBe(START)
    const still = createWall([2, 2])
    still.wait(600, 0)
    expect(still.place()).toEqual([0, 0])
  })

  it('is turned by hand in both directions, and then waits its whole time', () => {
    const wall = createWall([3])
    wall.wait(15)
    wall.turn(-1)
    expect(wall.place()).toEqual([0, 2])
    wall.wait(19)
    expect(wall.place()).toEqual([0, 2])
    wall.turn(1)
    expect(wall.place()).toEqual([0, 0])
    const boards = createWall([1, 2])
    boards.turn(-1)
    expect(boards.place()).toEqual([1, 0])
  })

  it('jumps to what failed, stays there, and goes back to where it was', () => {
    const wall = createWall([2, 2])
    wall.wait(20)
    wall.jump({ board: 1, page: 1 })
    expect(wall.place()).toEqual([1, 1])
    wall.wait(29)
    expect(wall.place()).toEqual([1, 1])
    wall.wait(1)
    expect([wall.place(), wall.rotation().jump]).toEqual([[0, 1], null])
    wall.wait(20)
    expect(wall.place()).toEqual([1, 0])
  })

  it('goes back to the rotation after a second failure too, not to the first', () => {
    const wall = createWall([2, 2])
    wall.jump({ board: 1, page: 0 })
    wall.wait(10)
    wall.jump({ board: 1, page: 1 })
    wall.wait(29)
    expect(wall.place()).toEqual([1, 1])
    wall.wait(1)
    expect(wall.place()).toEqual([0, 0])
  })

  it('goes back at once when asked', () => {
    const wall = createWall([1, 1])
    wall.jump({ board: 1, page: 0 })
    wall.back()
    expect([wall.place(), wall.rotation().jump]).toEqual([[0, 0], null])
  })

  it('neither turns nor jumps while it is paused', () => {
    const wall = createWall([2, 2])
    wall.pause(true)
    wall.wait(100)
    wall.jump({ board: 1, page: 0 })
    expect(wall.place()).toEqual([0, 0])
    wall.pause(false)
    wall.wait(19)
    expect(wall.place()).toEqual([0, 0])
    wall.wait(1)
    expect(wall.place()).toEqual([0, 1])
  })

  it('leaves a page or a board that is gone', () => {
    const wall = createWall([3, 1])
    wall.wait(40)
    expect(wall.place()).toEqual([0, 2])
    wall.setPages([1, 1])
    wall.wait(1)
    expect(wall.place()).toEqual([0, 0])
    wall.turn(1)
    wall.setPages([1])
    wall.wait(1)
    expect(wall.place()).toEqual([0, 0])
  })
})
