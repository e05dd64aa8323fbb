import type { PeerUser } from '@watchroom/shared/collab'

import { systemClock } from '../live/clock.ts'
import { createIncidentConnection, type IncidentConnection } from './createIncidentConnection.ts'
import { indexedDbStorage } from './indexedDbStorage.ts'
import { cryptographicRandom } from './newId.ts'

export interface OpenIncidentOptions {
  readonly incidentId: string
  readonly user: PeerUser
  readonly canWrite: boolean
  readonly isModerator: boolean
  readonly now: () => number
  readonly onSessionEnded: () => void
}

export interface OpenIncidents {
  /** Release it when the screen unmounts. */
  readonly open: (options: OpenIncidentOptions) => { connection: IncidentConnection; release: () => void }
}

interface Entry {
  readonly connection: IncidentConnection
  holders: number
  stopWaiting: () => void
}

/**
 * The open documents of a page. A screen releases its document when it is left. A document with unsent edits stays connected until
 * they are sent, and a screen that opens it again in the meantime gets the same one.
 */
export function createOpenIncidents(connect: (options: OpenIncidentOptions) => IncidentConnection): OpenIncidents {
  const entries = new Map<string, Entry>()
  let isWatching = false

  /** Page-wide listeners, added with the first document: they watch the network and warn before the page is left. */
  const watchPage = (): void => {
    if (isWatching) return
    isWatching = true
    const forAll = (task: (connection: IncidentConnection) => void): void => {
      for (const { connection } of entries.values()) task(connection)
    }
    window.addEventListener('beforeunload', (event) => {
      // Unacknowledged edits: leaving now may lose them.
      if ([...entries.values()].some(({ connection }) => connection.hasUnsent())) event.preventDefault()
    })
    window.addEventListener('online', () => forAll((connection) => connection.nudge()))
    window.addEventListener('offline', () => forAll((connection) => connection.networkLost()))
    document.addEventListener('visibilitychange', () =>
      forAll((connection) => {
        connection.setHidden(document.hidden)
        if (!document.hidden) connection.nudge()
      }),
    )
    for (const type of ['pointerdown', 'pointermove', 'keydown', 'wheel'] as const) {
      window.addEventListener(type, () => forAll((connection) => connection.noteActivity()), { passive: true })
    }
    // Capturing, because not every key event bubbles up to the window.
    window.addEventListener('keydown', () => forAll((connection) => connection.noteKey()), { capture: true })
  }

  return {
    open: (options) => {
      watchPage()
      // Not keyed by rights: a document whose rights changed still holds what was typed before, and what was refused.
      const key = [options.user.id, options.incidentId].join('/')
      const entry = entries.get(key) ?? { connection: connect(options), holders: 0, stopWaiting: () => undefined }
      entries.set(key, entry)
      entry.holders += 1
      entry.stopWaiting()
      entry.connection.setModerator(options.isModerator)
      entry.connection.setShown(true)
      // It may have given up when the session ended; whoever opens it has a new one.
      entry.connection.nudge()
      let isReleased = false
      const closeWhenSent = (): void => {
        if (entry.connection.hasUnsent()) return
        entry.stopWaiting()
        entries.delete(key)
        void entry.connection.close()
      }
      const release = (): void => {
        if (isReleased) return
        isReleased = true
        entry.holders -= 1
        if (entry.holders > 0) return
        entry.connection.setShown(false)
        entry.stopWaiting = entry.connection.subscribe(closeWhenSent)
        closeWhenSent()
      }
      return { connection: entry.connection, release }
    },
  }
}

/** The documents of this page. */
export const openIncidents = createOpenIncidents((options) =>
  createIncidentConnection({
    ...options,
    serverUrl: `${location.origin.replace(/^http/, 'ws')}/collab`,
    openSocket: (url) => new WebSocket(url),
    clock: systemClock,
    random: cryptographicRandom,
    storage: indexedDbStorage,
  }),
)
