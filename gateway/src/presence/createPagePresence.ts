// Who has which page open. People say nothing of themselves: whoever is subscribed to the topic is there, under the name of their
// session, and whose right to read it ends is not. Nothing is stored; each gateway knows its own sockets.
import type { Clock } from '@watchroom/shared/kernel'
import { type PresentTab, topicAddress } from '@watchroom/shared/protocol'

import type { Feed, FeedListener, SourceRead, Watcher } from '../polling/contract.ts'
import type { PagePresence, PresencePlace } from './contract.ts'

/** A reload takes about 2 s; below this a reloading tab would visibly leave and return. */
const LEAVE_GRACE_MS = 3_000

interface Tab {
  readonly row: PresentTab
  /** Set once it has left: it may still come back. */
  cancelLeave: (() => void) | null
}

interface Place extends PresencePlace {
  /** Oldest first. */
  readonly tabs: Set<Tab>
  readonly listeners: Set<FeedListener<PresentTab>>
}

export function createPagePresence({ clock }: { readonly clock: Clock }): PagePresence {
  /** What was entered last is at the end. */
  const places = new Map<string, Place>()
  let tabs = 0

  const addressOf = ({ page, id }: PresencePlace): string => topicAddress(page, { id })

  const take = (of: PresencePlace): Place => {
    const place = places.get(addressOf(of)) ?? { ...of, tabs: new Set(), listeners: new Set() }
    places.set(addressOf(of), place)
    return place
  }

  const forgetEmpty = (place: Place): void => {
    const isEmpty = place.tabs.size === 0 && place.listeners.size === 0
    if (isEmpty && places.get(addressOf(place)) === place) places.delete(addressOf(place))
  }

  const toRead = ({ tabs }: Place): SourceRead<PresentTab> => ({
    kind: 'all',
    asOf: clock.now(),
    droppedRows: 0,
    rows: [...tabs].map(({ row }) => row),
  })

  const tell = (place: Place): void => {
    for (const listener of place.listeners) listener.onRead(toRead(place))
  }

  const leave = (place: Place, tab: Tab): void => {
    tab.cancelLeave = clock.schedule(() => {
      place.tabs.delete(tab)
      tell(place)
      forgetEmpty(place)
    }, LEAVE_GRACE_MS)
  }

  /** Whoever comes back within the grace takes the place of the tab that left. */
  const enter = (of: PresencePlace, { userId, name }: Watcher): (() => void) => {
    const place = take(of)
    places.delete(addressOf(of))
    places.set(addressOf(of), place)
    let tab = [...place.tabs].find(({ row, cancelLeave }) => cancelLeave !== null && row.userId === userId)
    if (tab) {
      tab.cancelLeave?.()
      tab.cancelLeave = null
    } else {
      tab = { row: { id: String((tabs += 1)), userId, name }, cancelLeave: null }
      place.tabs.add(tab)
      tell(place)
    }
    const entered = tab
    let isThere = true
    return () => {
      if (isThere) leave(place, entered)
      isThere = false
    }
  }

  const feed = (of: PresencePlace): Feed<PresentTab> => ({
    // Announced when it changes; until then the last announcement holds.
    freshForMs: Number.MAX_SAFE_INTEGER,
    problem: () => null,
    listen: (listener) => {
      const place = take(of)
      place.listeners.add(listener)
      listener.onRead(toRead(place))
      return () => {
        place.listeners.delete(listener)
        forgetEmpty(place)
      }
    },
    watch: (who) => (who ? enter(of, who) : () => undefined),
    wake: () => undefined,
    close: () => undefined,
  })

  return {
    feed,
    companyOf: (page, userId) =>
      [...places.values()]
        .filter((place) => place.page === page && [...place.tabs].some(({ row }) => row.userId === userId))
        .map(({ id, tabs }) => [id, [...new Set([...tabs].map(({ row }) => row.userId))]] as const)
        .toReversed(),
    close: () => {
      for (const { tabs } of places.values()) for (const { cancelLeave } of tabs) cancelLeave?.()
      places.clear()
    },
  }
}
