// The state of a document's connection to the gateway: linked, not linked, or ended. Decides when to reconnect; knows neither
// sockets nor documents.

import { type Clock, createTimer } from '@watchroom/shared/kernel'

import { createSilenceWatch } from '../live/createSilenceWatch.ts'
import { reconnectDelay } from '../live/reconnectDelay.ts'
import type { IncidentRoom } from './contract.ts'
import type { Ending } from './toEnding.ts'

/** A document that has to be seeded from a slow backend takes a few seconds. */
const SYNC_TIMEOUT_MS = 20_000
/** For this long the pill alone says that there is no link. */
export const LONG_OFFLINE_MS = 10_000
/** Wait after a close code that tells a person to wait (4429: five minutes). */
const PAUSE_MS = 300_000

/** Endings after which nothing reconnects. */
type Over = Extract<Ending, { kind: 'denied' | 'notFound' | 'failed' }>

/** `isReady`: there is a document to show even without a link. */
type State =
  /** Before any socket has ended. */
  | { readonly kind: 'connecting'; readonly waitsFor: 'storage' | 'socket'; readonly isReady: boolean }
  | {
      readonly kind: 'offline'
      readonly waitsFor: 'socket' | 'retry' | 'signIn'
      readonly isReady: boolean
      /** So long that the person must be told at full width. */
      readonly isLong: boolean
      /** Why the gateway keeps us waiting. */
      readonly obstacle: string | null
    }
  /** The document holds everything that the gateway has. */
  | { readonly kind: 'online' }
  | Over

export interface ConnectionState {
  /** As the screens see it: a link that has gone silent counts as down before it is given up (COLLAB-27). */
  readonly shown: () => Pick<IncidentRoom, 'state' | 'failure' | 'link' | 'heardAt' | 'isLongOffline'>
  readonly obstacle: () => string | null
  readonly connect: () => void
  /** Connects now instead of after a wait, or after the sign-in. */
  readonly nudge: () => void
  /** This browser had a copy of the document. */
  readonly ready: () => void
  readonly synced: () => void
  /** The document is gone until the next one arrives. */
  readonly startOver: () => void
  readonly end: (ending: Ending) => void
  /** The gateway promised to send something at least this often. */
  readonly beat: (everyMs: number) => void
  readonly heard: () => void
  readonly close: () => void
}

export interface ConnectionStateDeps {
  readonly clock: Clock
  readonly random: () => number
  readonly connect: () => void
  /** Closes a useless socket; `end` is called for it as for any other end. */
  readonly disconnect: () => void
  readonly onChange: () => void
}

export function createConnectionState(deps: ConnectionStateDeps): ConnectionState {
  /** The deadline of a connecting socket, otherwise the next attempt. */
  const timer = createTimer(deps.clock)
  const longTimer = createTimer(deps.clock)
  const silence = createSilenceWatch({ clock: deps.clock, onChange: deps.onChange, onDead: deps.disconnect })
  let state: State = { kind: 'connecting', waitsFor: 'storage', isReady: false }
  /** Wall-clock time of the gateway's last message; null before the first complete sync. */
  let heardAt: number | null = null
  /** Attempts since the last complete sync. */
  let attempt = 0

  const connect = (): void => {
    if (!('waitsFor' in state)) return
    state = { ...state, waitsFor: 'socket' }
    timer.set(deps.disconnect, SYNC_TIMEOUT_MS)
    deps.connect()
  }

  const wait = (ending: Exclude<Ending, Over>): void => {
    const isReady = 'isReady' in state ? state.isReady : true
    const { isLong, obstacle } = state.kind === 'offline' ? state : { isLong: false, obstacle: null }
    state = {
      kind: 'offline',
      waitsFor: ending.kind === 'signIn' ? 'signIn' : 'retry',
      isReady,
      isLong,
      obstacle: 'reason' in ending ? ending.reason : obstacle,
    }
    if (ending.kind === 'pause') timer.set(connect, PAUSE_MS)
    else if (ending.kind !== 'signIn') timer.set(connect, reconnectDelay(attempt++, deps.random))
    if (isLong || longTimer.isSet()) return
    longTimer.set(() => {
      if (state.kind === 'offline') state = { ...state, isLong: true }
      deps.onChange()
    }, LONG_OFFLINE_MS)
  }

  const toShown = (): Omit<ReturnType<ConnectionState['shown']>, 'heardAt'> => {
    const failure = state.kind === 'failed' ? state.failure : null
    switch (state.kind) {
      case 'online':
        return { state: 'ready', failure, link: silence.isSilent() ? 'offline' : 'online', isLongOffline: false }
      case 'connecting':
        return { state: state.isReady ? 'ready' : 'loading', failure, link: state.kind, isLongOffline: false }
      case 'offline':
        return {
          state: state.isReady ? 'ready' : 'loading',
          failure: state.isReady ? null : state.obstacle,
          link: state.kind,
          isLongOffline: state.isLong,
        }
      case 'denied':
      case 'notFound':
      case 'failed':
        return { state: state.kind, failure, link: 'offline', isLongOffline: false }
    }
  }

  return {
    shown: () => ({ ...toShown(), heardAt: state.kind === 'online' && !silence.isSilent() ? null : heardAt }),
    obstacle: () => (state.kind === 'offline' ? state.obstacle : null),
    connect,
    nudge: () => {
      if (!('waitsFor' in state) || state.waitsFor === 'storage' || state.waitsFor === 'socket') return
      attempt = 0
      connect()
    },
    ready: () => {
      if ('isReady' in state) state = { ...state, isReady: true }
    },
    synced: () => {
      timer.clear()
      longTimer.clear()
      attempt = 0
      heardAt = deps.clock.now()
      state = { kind: 'online' }
    },
    startOver: () => {
      silence.stop()
      if ('isReady' in state) state = { ...state, isReady: false }
      else if (state.kind === 'online') state = { kind: 'connecting', waitsFor: 'socket', isReady: false }
    },
    end: (ending) => {
      if (!('waitsFor' in state) && state.kind !== 'online') return
      timer.clear()
      silence.stop()
      switch (ending.kind) {
        case 'denied':
        case 'notFound':
        case 'failed':
          longTimer.clear()
          state = ending
          return
        case 'retry':
        case 'renew':
        case 'pause':
        case 'signIn':
          wait(ending)
      }
    },
    beat: (everyMs) => silence.start(everyMs),
    heard: () => {
      if (state.kind === 'online') heardAt = deps.clock.now()
      silence.heard()
    },
    close: () => {
      timer.clear()
      longTimer.clear()
      silence.stop()
    },
  }
}
