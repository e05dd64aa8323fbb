// Who is refused again and again is not let in for a while: the page that is, not the person with all their pages (COLLAB-7).

import type { Clock } from '@watchroom/shared/kernel'

import { createRecently, type Recently } from './createRecently.ts'

/** In a minute. An honest page has perhaps one a day; a stock client that cannot read its refusal comes ten times a second. */
const MAX_OF_PAGE = 30
/** Of all pages of a person: so many do not fail on their own. */
const MAX_OF_PERSON = 300
/** What is over is forgotten this often. */
const SWEEP_MS = 60_000

/** One page of a person, on one document. Clients that do not say which page they are count as one. */
export interface Visitor {
  readonly userId: string
  readonly document: string
  readonly page: string
}

export interface Refusals {
  note(visitor: Visitor): void
  isOver(visitor: Visitor): boolean
  /** Entries kept. */
  readonly size: number
}

export function createRefusals(deps: { clock: Clock }): Refusals {
  const { clock } = deps
  const ofPages = new Map<string, Recently>()
  const ofPeople = new Map<string, Recently>()
  let sweptAt = clock.monotonic()

  const count = (counts: Map<string, Recently>, key: string, limit: number): void => {
    const recently = counts.get(key) ?? createRecently({ clock, limit })
    counts.set(key, recently)
    recently.note()
  }

  const sweep = (): void => {
    if (clock.monotonic() - sweptAt < SWEEP_MS) return
    sweptAt = clock.monotonic()
    for (const counts of [ofPages, ofPeople]) {
      for (const [key, recently] of counts) if (recently.isForgotten()) counts.delete(key)
    }
  }

  return {
    note: (visitor) => {
      sweep()
      // What follows the lock of a page is the lock: it must not lock the person.
      if (ofPages.get(toKey(visitor))?.isOver()) return
      count(ofPages, toKey(visitor), MAX_OF_PAGE)
      count(ofPeople, visitor.userId, MAX_OF_PERSON)
    },
    isOver: (visitor) =>
      (ofPages.get(toKey(visitor))?.isOver() ?? false) || (ofPeople.get(visitor.userId)?.isOver() ?? false),
    get size() {
      return ofPages.size + ofPeople.size
    },
  }
}

const toKey = ({ userId, document, page }: Visitor): string => [userId, document, page].join(' ')
