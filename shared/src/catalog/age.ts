import { parseTimestamp, toWallTime, type Zone } from '../time/index.ts'
import type { ConfigDetail } from './rows.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** From when on an item is older than its source should let it become. */
const STALE_AFTER_MS = HOUR_MS

/** Not scraped for an hour, though it is still there. */
export function isStale(item: Pick<ConfigDetail, 'last_scraped_time' | 'deleted_at'>, now: number): boolean {
  const scrapedAt = parseTimestamp(item.last_scraped_time)
  return scrapedAt !== null && !item.deleted_at && now - scrapedAt >= STALE_AFTER_MS
}

/** Newest first. */
export const CHANGED_BUCKETS = ['This hour', 'Today', 'Yesterday', 'Last 7 days', 'Last 30 days', 'Older'] as const
export type ChangedBucket = (typeof CHANGED_BUCKETS)[number]

/** When an item changed, as lists group it: hours and days of the clock on the wall, then by age. */
export function toChangedBucket(updatedAt: string | null | undefined, now: number, zone: Zone): ChangedBucket {
  const moment = parseTimestamp(updatedAt)
  if (moment === null) return 'Older'
  const units = (unitMs: number): number =>
    Math.floor(toWallTime(now, zone) / unitMs) - Math.floor(toWallTime(moment, zone) / unitMs)
  // A clock that is ahead of ours changed it just now.
  if (units(HOUR_MS) <= 0) return 'This hour'
  const days = units(DAY_MS)
  if (days === 0) return 'Today'
  if (days === 1) return 'Yesterday'
  return days < 7 ? 'Last 7 days' : days < 30 ? 'Last 30 days' : 'Older'
}
