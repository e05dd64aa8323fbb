import type { TimeZoneChoice } from '../preferences/timeZone.ts'
import type { TopicState } from './contract.ts'

export interface FreshnessFacts {
  readonly state: TopicState
  readonly via: 'socket' | 'polling' | null
  readonly asOf: number | null
  readonly ageMs: number | null
  readonly downMs: number | null
  readonly hasRows: boolean
  readonly zone: TimeZoneChoice
}

/** The word for a link over which nothing has come for 3 s, on every screen. */
export const DISCONNECTED = 'Disconnected'

const pad = (value: number): string => String(value).padStart(2, '0')

/** `0.3 s` below ten seconds, then whole seconds, from a minute on `02:14`, from an hour on `1:02:14`. */
export function formatAge(ageMs: number): string {
  const seconds = Math.max(0, ageMs) / 1_000
  if (seconds < 9.95) return `${seconds.toFixed(1)} s`
  if (seconds < 60) return `${Math.floor(seconds)} s`
  return formatStopwatch(ageMs)
}

/** `02:14` or `1:02:14`. */
export function formatStopwatch(durationMs: number): string {
  const seconds = Math.floor(Math.max(0, durationMs) / 1_000)
  const clock = `${pad(Math.floor(seconds / 60) % 60)}:${pad(seconds % 60)}`
  return seconds < 3_600 ? clock : `${Math.floor(seconds / 3_600)}:${clock}`
}

/** Time of day in the zone that the reader chose, 24 hours. */
export function formatTimeOfDay(moment: number, zone: TimeZoneChoice): string {
  const date = new Date(moment)
  return zone === 'UTC' ? date.toISOString().slice(11, 19) : date.toTimeString().slice(0, 8)
}

/** How old the data is, in words; a number only when it is older than promised. */
export function freshnessText({ state, via, asOf, ageMs, downMs, hasRows, zone }: FreshnessFacts): string {
  const unread = hasRows ? 'data from an earlier visit' : 'no data yet'
  const from = asOf === null ? unread : `data from ${formatTimeOfDay(asOf, zone)}`
  switch (state) {
    case 'live':
      return 'Live'
    case 'delayed':
      return `Delayed ${formatAge(ageMs ?? 0)}`
    case 'offline':
      return `${via === 'polling' ? 'Polling' : DISCONNECTED} ${formatStopwatch(downMs ?? 0)}, ${from}`
    case 'denied':
      return 'No access'
    case 'failed':
      return hasRows ? `Not loaded, ${from}` : 'No data'
    case 'loading':
      return 'Loading'
  }
}

const ANNOUNCEMENTS: Record<TopicState, string> = {
  live: 'Data is live.',
  delayed: 'Data is delayed.',
  offline: `${DISCONNECTED}. Data may be old.`,
  denied: 'No access to this data.',
  failed: 'Data could not be loaded.',
  loading: 'Loading data.',
}

/** Announced once per state, not once per second: ages would drown out everything else a screen reader says. */
export function freshnessAnnouncement(state: TopicState, via: 'socket' | 'polling' | null): string {
  if (state === 'offline' && via === 'polling') return `${DISCONNECTED}. Data is refreshed periodically.`
  return ANNOUNCEMENTS[state]
}
