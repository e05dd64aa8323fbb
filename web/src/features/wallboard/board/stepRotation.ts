// Which page of which board the wall shows. Pure: time comes with each event.

/** A page of one of the boards in rotation; boards are counted, not named. */
export interface Place {
  readonly board: number
  readonly page: number
}

export interface Rotation {
  readonly place: Place
  /** When the place was entered; ms on any clock that only grows. */
  readonly enteredAt: number
  readonly isPaused: boolean
  /** Shown because something failed there; afterwards the wall goes back to where it was. */
  readonly jump: { readonly tileId: string; readonly until: number; readonly back: Place } | null
}

export type RotationEvent =
  /** `pages` of the board shown now. */
  | {
      readonly kind: 'tick'
      readonly now: number
      readonly boards: number
      readonly pages: number
      readonly stayMs: number
    }
  | {
      readonly kind: 'turn'
      readonly now: number
      readonly boards: number
      readonly pages: number
      readonly by: 1 | -1
    }
  | {
      readonly kind: 'jump'
      readonly now: number
      readonly place: Place
      readonly tileId: string
      readonly stayMs: number
    }
  | { readonly kind: 'return'; readonly now: number }
  | { readonly kind: 'pause'; readonly now: number; readonly isPaused: boolean }

export const START: Rotation = { place: { board: 0, page: 0 }, enteredAt: 0, isPaused: false, jump: null }

/** The state after the event; the same object when nothing changed. */
export function stepRotation(rotation: Rotation, event: RotationEvent): Rotation {
  switch (event.kind) {
    case 'tick': {
      const { jump, isPaused } = rotation
      const place = clamp(rotation.place, event)
      const kept = isSamePlace(place, rotation.place) ? rotation : { ...rotation, place, enteredAt: event.now }
      if (isPaused) return kept
      if (jump) return event.now >= jump.until ? leave(kept, event.now) : kept
      if (event.stayMs <= 0 || (event.boards <= 1 && event.pages <= 1)) return kept
      return event.now - kept.enteredAt >= event.stayMs ? enter(kept, turn(place, event, 1), event.now) : kept
    }
    case 'turn':
      return enter({ ...rotation, jump: null }, turn(clamp(rotation.place, event), event, event.by), event.now)
    case 'jump': {
      if (rotation.isPaused) return rotation
      // A second failure while looking at the first: the way back stays the one to where the rotation was.
      const back = rotation.jump?.back ?? rotation.place
      return {
        ...enter(rotation, event.place, event.now),
        jump: { tileId: event.tileId, until: event.now + event.stayMs, back },
      }
    }
    case 'return':
      return rotation.jump ? leave(rotation, event.now) : rotation
    case 'pause':
      if (rotation.isPaused === event.isPaused) return rotation
      return { ...rotation, isPaused: event.isPaused, enteredAt: event.now }
  }
}

const enter = (rotation: Rotation, place: Place, now: number): Rotation => ({ ...rotation, place, enteredAt: now })

const leave = (rotation: Rotation, now: number): Rotation => ({
  ...enter(rotation, rotation.jump?.back ?? rotation.place, now),
  jump: null,
})

/** The next or former page; past the end of a board the first page of the next one. Only the pages of the board shown are known. */
function turn({ board, page }: Place, { boards, pages }: { boards: number; pages: number }, by: 1 | -1): Place {
  const next = page + by
  if (next >= 0 && next < pages) return { board, page: next }
  if (boards <= 1) return { board: 0, page: by === 1 ? 0 : pages - 1 }
  return { board: (board + by + boards) % boards, page: 0 }
}

/** A board or a page that is no longer there leads to the last that is. */
function clamp({ board, page }: Place, { boards, pages }: { boards: number; pages: number }): Place {
  return board < boards
    ? { board, page: Math.min(page, Math.max(0, pages - 1)) }
    : { board: Math.max(0, boards - 1), page: 0 }
}

const isSamePlace = (a: Place, b: Place): boolean => a.board === b.board && a.page === b.page
