// A page that is refused again and again is locked out for a while; the person's other pages are not (COLLAB-7).

import type { Clock } from '@watchroom/shared/kernel'

import { createSlidingWindow, type SlidingWindow } from '../createSlidingWindow.ts'

/** In a minute. An honest page has perhaps one a day; a stock client that cannot read its refusal comes ten times a second. */
const MAX_OF_PAGE = 30
/** Of all pages of a person: so many do not fail on their own. */
const MAX_OF_PERSON = 300
/** What is over is forgotten this often. */
const SWEEP_MS = 60_000

/** One page of a person, on one document. Clients that do not say which page they are count as one. */
export interface DocumentPage {
  readonly userId: string
  readonly document: string
  readonly page: string
}

export interface Lockout {
  noteRefusal(page: DocumentPage): void
  isLocked(page: DocumentPage): boolean
  /** Entries kept. */
  readonly size: number
}

export function createLockout(deps: { clock: Clock }): Lockout {
  const { clock } = deps
  const ofPages = new Map<string, SlidingWindow>()
  const ofPeople = new Map<string, SlidingWindow>()
  let sweptAt = clock.monotonic()

  const count = (windows: Map<string, SlidingWindow>, key: string, limit: number): void => {
    const window = windows.get(key) ?? createSlidingWindow({ clock, limit })
    windows.set(key, window)
    window.note()
  }

  const sweep = (): void => {
    if (clock.monotonic() - sweptAt < SWEEP_MS) return
    sweptAt = clock.monotonic()
    for (const windows of [ofPages, ofPeople]) {
      for (const [key, window] of windows) if (window.isEmpty()) windows.delete(key)
    }
  }

  return {
    noteRefusal: (page) => {
      sweep()
      // What follows the lock of a page is the lock: it must not lock the person.
      if (ofPages.get(toKey(page))?.isOver()) return
      count(ofPages, toKey(page), MAX_OF_PAGE)
      count(ofPeople, page.userId, MAX_OF_PERSON)
    },
    isLocked: (page) => (ofPages.get(toKey(page))?.isOver() ?? false) || (ofPeople.get(page.userId)?.isOver() ?? false),
    get size() {
      return ofPages.size + ofPeople.size
    },
  }
}

const toKey = ({ userId, document, page }: DocumentPage): string => [userId, document, page].join(' ')
