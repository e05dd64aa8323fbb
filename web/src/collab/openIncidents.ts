// Open documents of this page. A screen that is left gives its document back; one with unsent edits stays connected until
// they are sent, and a screen that opens it again meanwhile gets the same one.

import type { PeerUser } from '@watchroom/shared/collab'

import { systemClock } from '../live/clock.ts'
import { createIncidentConnection, type IncidentConnection } from './createIncidentConnection.ts'
import { indexedDbStorage } from './indexedDbStorage.ts'

export interface OpenIncidentOptions {
  readonly incidentId: string
  readonly user: PeerUser
  readonly canWrite: boolean
  readonly isModerator: boolean
  readonly now: () => number
  readonly onSessionEnded: () => void
}

interface Entry {
  readonly connection: IncidentConnection
  holders: number
  stopWaiting: () => void
}

const entries = new Map<string, Entry>()

/** Release it when the screen goes. */
export function openIncident(options: OpenIncidentOptions): { connection: IncidentConnection; release: () => void } {
  const key = [options.user.id, options.incidentId, options.canWrite, options.isModerator].join('/')
  const entry = entries.get(key) ?? open(key, options)
  entry.holders += 1
  entry.stopWaiting()
  entry.connection.setShown(true)
  let isReleased = false
  return {
    connection: entry.connection,
    release: () => {
      if (isReleased) return
      isReleased = true
      entry.holders -= 1
      if (entry.holders > 0) return
      entry.connection.setShown(false)
      const closeWhenSent = (): void => {
        if (entry.connection.hasUnsent()) return
        entry.stopWaiting()
        entries.delete(key)
        void entry.connection.close()
      }
      entry.stopWaiting = entry.connection.subscribe(closeWhenSent)
      closeWhenSent()
    },
  }
}

function open(key: string, options: OpenIncidentOptions): Entry {
  const connection = createIncidentConnection({
    ...options,
    serverUrl: `${location.origin.replace(/^http/, 'ws')}/collab`,
    openSocket: (url) => new WebSocket(url),
    clock: systemClock,
    random: cryptographicRandom,
    storage: indexedDbStorage,
  })
  const entry: Entry = { connection, holders: 0, stopWaiting: () => undefined }
  if (entries.size === 0) watchPage()
  entries.set(key, entry)
  return entry
}

/** Listeners of the page, once: documents wait for the network and warn before the page goes. */
const watchPage = once(() => {
  const all = (): IncidentConnection[] => [...entries.values()].map(({ connection }) => connection)
  window.addEventListener('beforeunload', (event) => {
    // Only typed, not yet acknowledged: leaving now may lose it.
    if (all().some((connection) => connection.hasUnsent())) event.preventDefault()
  })
  window.addEventListener('online', () => all().forEach((connection) => connection.nudge()))
  window.addEventListener('offline', () => all().forEach((connection) => connection.networkLost()))
  document.addEventListener('visibilitychange', () => {
    for (const connection of all()) {
      connection.setHidden(document.hidden)
      if (!document.hidden) connection.nudge()
    }
  })
  for (const type of ['pointerdown', 'pointermove', 'keydown', 'wheel'] as const) {
    window.addEventListener(type, () => all().forEach((connection) => connection.noteActivity()), { passive: true })
  }
})

function once(task: () => void): () => void {
  let isDone = false
  return () => {
    if (!isDone) task()
    isDone = true
  }
}

function cryptographicRandom(): number {
  return (crypto.getRandomValues(new Uint32Array(1))[0] ?? 0) / 2 ** 32
}
